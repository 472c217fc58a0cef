// PocketBase as its documentation embeds it. With PEER_SYNCHRONOUS=FULL each commit is synced to
// disk, as in Corkboard. Otherwise the connections are the same as those of PocketBase itself.
package main

import (
	"log"
	"os"
	"path/filepath"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase"
	"github.com/pocketbase/pocketbase/core"
)

const pragmas = "?_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)" +
	"&_pragma=journal_size_limit(200000000)&_pragma=synchronous(FULL)&_pragma=foreign_keys(ON)" +
	"&_pragma=temp_store(MEMORY)&_pragma=cache_size(-32000)"

func connect(path string) (*dbx.DB, error) {
	// The other database contains PocketBase's own log, which need not be durable.
	if os.Getenv("PEER_SYNCHRONOUS") == "FULL" && filepath.Base(path) == "data.db" {
		return dbx.Open("sqlite", path+pragmas)
	}
	return core.DefaultDBConnect(path)
}

func main() {
	app := pocketbase.NewWithConfig(pocketbase.Config{DBConnect: connect})
	if err := app.Start(); err != nil {
		log.Fatal(err)
	}
}
