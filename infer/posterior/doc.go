// Package posterior fits one subject: it draws from the posterior, makes sure that the draws may be believed, and
// says how it did.
//
// Posteriors of measurement layouts have plateaus with cliffs, pile up at the bounds of their priors, and often have
// several modes. Chains of the customary sampler then sit in one mode each, or all in the same wrong one, where R-hat
// sees nothing. A fit therefore has two engines and a scout:
//
//   - Pilots are populations tempered from the prior to the posterior, hundreds of points dispersed over the whole
//     prior at first. They find the modes, give the chains their starts (far apart, in different modes where there are
//     some) and their first metric, and are compared with what the chains return.
//   - NUTS chains start from the pilots. They are believed when they agree with each other (R-hat, effective size), have
//     not diverged, and agree with the pilots, in the mean of every parameter and in the evidence.
//   - Otherwise chains that leap between the modes which the pilots have found take over, and are held to the same
//     standard.
//
// Nothing is returned from chains that disagree.
package posterior
