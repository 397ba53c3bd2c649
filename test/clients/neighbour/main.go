// Command neighbour is a CNI plugin that stands before or behind another one in a list. Behind it, it prints prevResult as
// it is and wants one for CHECK; before it, it prints the "result" of its own configuration. With "fail" it fails ADD.
package main

import (
	"encoding/json"
	"fmt"
	"os"
)

type config struct {
	PrevResult json.RawMessage `json:"prevResult"`
	Result     json.RawMessage `json:"result"`
	Fail       string          `json:"fail"`
}

func main() {
	command := os.Getenv("CNI_COMMAND")
	if command == "VERSION" {
		fmt.Println(`{"cniVersion":"1.0.0","supportedVersions":["0.1.0","0.2.0","0.3.0","0.3.1","0.4.0","1.0.0"]}`)
		return
	}
	var c config
	if err := json.NewDecoder(os.Stdin).Decode(&c); err != nil {
		fail(6, err.Error())
	}
	if command == "CHECK" && c.PrevResult == nil {
		fail(7, "there is no prevResult")
	}
	if command != "ADD" {
		return
	}
	if c.Fail != "" {
		fail(100, c.Fail)
	}
	if c.Result == nil {
		c.Result = c.PrevResult
	}
	if c.Result == nil {
		fail(7, "there is neither a result nor a prevResult")
	}
	os.Stdout.Write(c.Result)
}

func fail(code int, msg string) {
	json.NewEncoder(os.Stdout).Encode(map[string]interface{}{"code": code, "msg": msg})
	os.Exit(1)
}
