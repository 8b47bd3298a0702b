package batterytest

import "achilles/battery"

// Edit changes item i of a list. Copies of the list keep the item that they have.
func Edit(items *battery.Items, i int, change func(*battery.Item)) {
	var list battery.Items
	for k, it := range items.All() {
		if k == i {
			change(&it)
		}
		list.Append(&it)
	}
	*items = list
}
