# Writes draws.csv and reference.csv: chains of several kinds and what R's posterior package makes of them.
# Run as: Rscript reference.R   (posterior 1.4.0, R 4.2.2)
suppressMessages(library(posterior))
set.seed(20)
ar <- function(n, rho) { x <- numeric(n); x[1] <- rnorm(1); for (i in 2:n) x[i] <- rho * x[i - 1] + sqrt(1 - rho^2) * rnorm(1); x }
four <- function(n, f) sapply(1:4, function(i) f(n, i))
sets <- list(
  independent = four(60, function(n, i) rnorm(n)),
  odd         = four(61, function(n, i) rnorm(n)),
  slow        = four(120, function(n, i) ar(n, 0.8)),
  antithetic  = four(100, function(n, i) ar(n, -0.6)),
  shifted     = four(80, function(n, i) rnorm(n, mean = 2 * (i == 4))),
  widened     = four(80, function(n, i) rnorm(n, sd = 1 + 4 * (i == 2))),
  cauchy      = four(80, function(n, i) rcauchy(n)),
  ties        = four(80, function(n, i) rpois(n, 2)),
  trend       = four(80, function(n, i) rnorm(n) + seq_len(n) / 20),
  single      = matrix(ar(200, 0.3), ncol = 1))
draws <- do.call(rbind, lapply(names(sets), function(s) do.call(rbind, lapply(seq_len(ncol(sets[[s]])), function(c)
  data.frame(set = s, chain = c, value = sprintf("%.17g", sets[[s]][, c]))))))
write.csv(draws, "draws.csv", row.names = FALSE, quote = FALSE)
ref <- do.call(rbind, lapply(names(sets), function(s) { x <- sets[[s]]; suppressWarnings(data.frame(set = s,
  mean = mean(x), sd = sd(as.vector(x)), rhat = rhat(x), ess_bulk = ess_bulk(x), ess_tail = ess_tail(x), ess_mean = ess_mean(x),
  mcse_mean = mcse_mean(x), mcse_sd = mcse_sd(x),
  q5 = quantile(x, 0.05), q50 = quantile(x, 0.5), q95 = quantile(x, 0.95))) }))
write.csv(format(ref, digits = 15, trim = TRUE), "reference.csv", row.names = FALSE, quote = FALSE)
