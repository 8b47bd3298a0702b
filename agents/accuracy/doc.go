// Package accuracy has the chance of a right answer in closed form: of one agent of known ability, after algorithmic item
// response theory (Chmait et al. 2017), and of groups that vote.
//
// A task has a difficulty D, in bits, and m answers of which one is right. An agent has an ability α > 0, in bits too.
// Groups are exact where the errors of their members are independent and fall on every wrong answer alike.
package accuracy
