package generate_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"strings"
	"testing"

	"achilles/battery"
	"achilles/battery/batterytest"
	"achilles/gridworld/policy"
	"achilles/scenarios/generate"
	"achilles/scenarios/generatetest"
	"achilles/sim/record"
)

// TestRedaction changes every field of a session, one at a time. A change of a sealed field must not change the public
// bytes, except the commitment, and must change the sealed ones. A change of any other field must change the public
// bytes or be refused.
func TestRedaction(t *testing.T) {
	base := session(8, 3, 3)
	base.HoldOut = 0.5
	public, sealed := publish(t, base)
	fields := 0
	walk(t, reflect.ValueOf(base).Elem(), "Session", false, func(path string, isSealed bool) {
		fields++
		p, x, err := generatetest.Files(base)
		if err != nil {
			if isSealed {
				t.Errorf("%s is sealed, yet publishing looks at it: %v", path, err)
			}
			return
		}
		if changed := !maps.EqualFunc(public, p, equalButCommitment); !isSealed && !changed {
			t.Errorf("%s is neither sealed nor published: changing it changes nothing", path)
		} else if isSealed && changed && !throughTheKeyedHashOnly(t, path, base, public, sealed, p, x) {
			t.Errorf("%s is sealed, yet changing it changes the public files", path)
		}
		if isSealed && maps.EqualFunc(sealed, x, bytes.Equal) {
			t.Errorf("%s is sealed, yet the sealed files do not have it", path)
		}
	})
	if fields < 50 {
		t.Errorf("only %d fields were tried", fields)
	}
	if p, _ := publish(t, base); !maps.EqualFunc(public, p, bytes.Equal) {
		t.Error("the session is not as it was: the test does not restore what it changes")
	}
}

func equalButCommitment(a, b []byte) bool {
	return bytes.Equal(commitment.ReplaceAll(a, nil), commitment.ReplaceAll(b, nil))
}

// throughTheKeyedHashOnly returns whether a change of a sealed field reaches the public files only through keyed
// hashes. Two sealed things do: the root seed is the key, and the names of subjects and items are arguments. In the
// files that undone converts, nothing may differ.
func throughTheKeyedHashOnly(t *testing.T, path string, s *generate.Session, publicA, sealedA, publicB, sealedB map[string][]byte) bool {
	t.Helper()
	if path != "Session.Root" && !strings.HasSuffix(path, ".Name") {
		return false
	}
	return maps.EqualFunc(undone(t, s, publicA, sealedA), undone(t, s, publicB, sealedB), bytes.Equal)
}

// walk changes every leaf below v, one at a time: it calls f and restores the leaf.
func walk(t *testing.T, v reflect.Value, path string, isSealed bool, f func(path string, isSealed bool)) {
	try := func(changed reflect.Value) {
		old := reflect.New(v.Type()).Elem()
		old.Set(v)
		v.Set(changed)
		f(path, isSealed)
		v.Set(old)
	}
	switch v.Kind() {
	case reflect.Struct:
		if _, ok := v.Interface().(battery.World); ok {
			try(another(t, v, path))
			return
		}
		if items, ok := v.Interface().(battery.Items); ok {
			var list []battery.Item
			for _, it := range items.All() {
				list = append(list, it)
			}
			walk(t, reflect.ValueOf(&list).Elem(), path, isSealed, func(path string, isSealed bool) {
				var changed battery.Items
				for i := range list {
					changed.Append(&list[i])
				}
				v.Set(reflect.ValueOf(changed))
				f(path, isSealed)
				v.Set(reflect.ValueOf(items))
			})
			return
		}
		if packed, ok := v.Interface().(battery.Values); ok {
			var list []battery.Value
			for _, x := range packed.All() {
				list = append(list, x)
			}
			walk(t, reflect.ValueOf(&list).Elem(), path, isSealed, func(path string, isSealed bool) {
				v.Set(reflect.ValueOf(battery.PackValues(list...)))
				f(path, isSealed)
				v.Set(reflect.ValueOf(packed))
			})
			return
		}
		for i := range v.NumField() {
			field := v.Type().Field(i)
			if !field.IsExported() && path == "Session" { // TestPacking: packed and taken are published as Episodes and Responses are
				continue
			}
			_, tag := field.Tag.Lookup("sealed")
			walk(t, v.Field(i), path+"."+field.Name, isSealed || tag, f)
		}
	case reflect.Slice:
		if raw, ok := v.Interface().(json.RawMessage); ok {
			try(reflect.ValueOf(json.RawMessage(strings.Replace(string(raw), "1", "2", 1))))
			return
		}
		if v.Len() == 0 {
			try(reflect.Append(v, reflect.Zero(v.Type().Elem())))
		}
		for i := range min(v.Len(), 2) { // the first two elements stand for all
			walk(t, v.Index(i), fmt.Sprintf("%s[%d]", path, i), isSealed, f)
		}
	case reflect.Array:
		for i := range v.Len() {
			walk(t, v.Index(i), fmt.Sprintf("%s[%d]", path, i), isSealed, f)
		}
	case reflect.Pointer:
		if v.IsNil() {
			try(reflect.New(v.Type().Elem()))
			return
		}
		walk(t, v.Elem(), path, isSealed, f)
	case reflect.Func: // the field Scene: TestSealedFieldsOfScenes changes what it returns
	case reflect.Map:
		m := reflect.MakeMap(v.Type())
		for _, k := range v.MapKeys() {
			m.SetMapIndex(k, v.MapIndex(k))
		}
		m.SetMapIndex(reflect.ValueOf(canary), reflect.Zero(v.Type().Elem()))
		try(m)
	default:
		try(another(t, v, path))
	}
}

// another returns a value that differs from v and, as far as possible, is valid in its place.
func another(t *testing.T, v reflect.Value, path string) reflect.Value {
	switch x := v.Interface().(type) {
	case record.Role:
		return reflect.ValueOf(record.Condition)
	case record.Kind:
		return reflect.ValueOf(map[record.Kind]record.Kind{record.Number: record.Text, record.Text: record.Number}[x])
	case record.Family:
		return reflect.ValueOf(record.Count)
	case record.Went:
		return reflect.ValueOf(1 + x%5)
	case record.Phase:
		return reflect.ValueOf(1 - x)
	case battery.World:
		if x.Empty() {
			return reflect.ValueOf(batterytest.World("world 1\nlimit 9\nmap\nAg\n"))
		}
		return reflect.ValueOf(batterytest.World(x.String() + "dark 7 8\n"))
	case battery.Outcome:
		return reflect.ValueOf(battery.Outcome((int(x) + 1) % 3))
	case string:
		switch {
		case strings.HasSuffix(path, ".Moves"):
			return reflect.ValueOf(x + " l")
		case strings.HasSuffix(path, ".Visited"):
			return reflect.ValueOf("3 3")
		}
		return reflect.ValueOf(x + canary)
	case policy.Goal:
		return reflect.ValueOf(x + canary)
	case policy.Fallback:
		return reflect.ValueOf(x + canary)
	case bool:
		return reflect.ValueOf(!x)
	case int:
		return reflect.ValueOf(x + 1)
	case uint64:
		return reflect.ValueOf(x + 1)
	case float64:
		return reflect.ValueOf(x/4 + 0.7)
	}
	t.Fatalf("%s: the test does not know how to change a %s", path, v.Type())
	return reflect.Value{}
}

// TestRedactionSeesALeak checks that the method of TestRedaction finds a leak: the session publishes a sealed field.
func TestRedactionSeesALeak(t *testing.T) {
	s := session(9, 3, 3)
	public, _ := publish(t, s)
	s.Battery.Schema[0].Doc = s.Scenario // as if redact had copied it
	leaked, _ := publish(t, s)
	if maps.EqualFunc(public, leaked, equalButCommitment) {
		t.Error("a published secret goes unnoticed")
	}
}
