// Twenty shards of a run, then their merge: nextflow run shards.nf
N = 20
DIR = "$launchDir/results/many"
RUN = "achilles run op-burden --jobs 1 --out $DIR"

process shard {
    errorStrategy 'retry'
    maxRetries 3
    input: val i
    output: val i
    script: "$RUN --shard $i/$N"
}

process merge {
    input: val all
    script: "achilles merge $DIR && $RUN"
}

workflow { Channel.of(0..<N) | shard | collect | merge }
