# Writes loo_draws.csv and loo_reference.csv: log likelihoods of 8 observations, one of them far out, at 4 x 100 draws
# of a normal mean, and what R's loo makes of them with the relative efficiencies of posterior.
# Run as: Rscript loo.R   (loo 2.5.1, posterior 1.4.0, R 4.2.2)
suppressMessages({library(posterior); library(loo)})
set.seed(21)
y <- c(rnorm(6), 2.5, -6)
ar <- function(n, rho) { x <- numeric(n); x[1] <- rnorm(1); for (i in 2:n) x[i] <- rho * x[i - 1] + sqrt(1 - rho^2) * rnorm(1); x }
mu <- sapply(1:4, function(c) mean(y) + 0.45 * ar(100, 0.4))
ll <- array(sapply(y, function(v) dnorm(v, mu, 1, log = TRUE)), c(100, 4, 8))
reff <- apply(exp(ll), 3, function(x) ess_mean(x)) / 400
fit <- suppressWarnings(loo(ll, r_eff = reff))
write.csv(do.call(rbind, lapply(1:8, function(i) do.call(rbind, lapply(1:4, function(c) data.frame(observation = i, chain = c, value = sprintf("%.17g", ll[, c, i])))))), "loo_draws.csv", row.names = FALSE, quote = FALSE)
write.csv(format(data.frame(observation = 1:8, elpd = fit$pointwise[, "elpd_loo"], p = fit$pointwise[, "p_loo"], k = fit$diagnostics$pareto_k, ess = fit$diagnostics$n_eff, total = fit$estimates["elpd_loo", "Estimate"], se = fit$estimates["elpd_loo", "SE"]), digits = 15, trim = TRUE), "loo_reference.csv", row.names = FALSE, quote = FALSE)
