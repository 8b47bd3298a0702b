#!/usr/bin/env bash
# Installs Nextflow from Maven Central into a directory and prints its program. Its own installer takes it from nextflow.io.
set -euo pipefail
cd "$1"
cat >pom.xml <<'POM'
<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>none</groupId><artifactId>none</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>io.nextflow</groupId><artifactId>nextflow</artifactId><version>24.10.0</version></dependency>
  </dependencies>
</project>
POM
mvn -q --batch-mode dependency:copy-dependencies -DoutputDirectory=jars >&2
# what Nextflow's launcher opens to Groovy from Java 17 on
opens=(java.lang java.io java.nio java.net java.util java.util.concurrent.locks java.util.concurrent.atomic java.util.regex sun.nio.ch sun.nio.fs
  sun.net.www.protocol.http sun.net.www.protocol.https sun.net.www.protocol.ftp sun.net.www.protocol.file jdk.internal.misc jdk.internal.vm)
{
  echo '#!/bin/sh'
  echo "exec java ${opens[*]/#/--add-opens=java.base/} -cp '$PWD/jars/*' nextflow.cli.Launcher \"\$@\""
} | sed 's/\(--add-opens=[^ ]*\)/\1=ALL-UNNAMED/g' >nextflow
chmod +x nextflow
echo "$PWD/nextflow"
