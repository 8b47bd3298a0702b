// Package accuracy computes the probability of a right answer in closed form: of one agent of known ability, after
// algorithmic item response theory (Chmait et al. 2017), and of groups that vote.
//
// A task has a difficulty D, in bits, and m answers of which one is right. An agent has an ability α > 0, in bits too.
// The results for groups are exact if the errors of the members are independent and each wrong answer is equally likely.
package accuracy
