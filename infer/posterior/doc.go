// Package posterior draws from the posterior of one subject and checks the draws.
//
// Posteriors of measurement layouts have plateaus with steep edges, have much mass at the bounds of their priors, and
// often have several modes. Chains of the usual sampler then stay in one mode each, or all in the same wrong one, which
// R-hat cannot show. A fit therefore has two engines and a search for modes before them:
//
//   - Pilots are populations of hundreds of points. They are drawn from the whole prior and tempered to the posterior. They
//     find the modes. They give the chains their starts (far apart, in different modes if there are several) and NUTS its
//     coordinates, in which margins are nearly normal, and its metric, and they are compared with the draws.
//   - NUTS chains start at pilot points. Their draws are the result if the chains agree with each other (R-hat,
//     effective sample size), have few divergences, and agree with the pilots in the mean of every parameter and in the
//     evidence.
//   - Otherwise chains of the tempered engine replace them. They jump between the modes that the pilots have found, and must
//     agree with each other too.
//
// The evidence is computed from the draws by bridge sampling. If the chains disagree in both engines, there is an error
// and no result.
package posterior
