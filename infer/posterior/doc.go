// Package posterior draws from the posterior of one subject and checks the draws.
//
// Posteriors of measurement layouts have plateaus with steep edges, pile up at the bounds of their priors, and often have
// several modes. Chains of the usual sampler then stay in one mode each, or all in the same wrong one, which R-hat cannot
// see. A fit therefore has two engines and a search for modes before them:
//
//   - Pilots are populations tempered from the prior to the posterior, hundreds of points that are at first spread over
//     the whole prior. They find the modes. They give the chains their starts (far apart, in different modes where there
//     are some) and NUTS its metric, and are compared with the draws.
//   - NUTS chains start at pilot points. Their draws are the result when the chains agree with each other (R-hat,
//     effective sample size), have few divergences, and agree with the pilots in the mean of every parameter and in the
//     evidence.
//   - Otherwise tempered chains take over. They jump between the modes that the pilots have found, and must agree with
//     each other too.
//
// The evidence comes from the draws by bridge sampling. Chains that disagree in both engines give an error, no result.
package posterior
