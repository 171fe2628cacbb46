// A MongoDB-speaking server for tests on machines where no mongod can be had: FerretDB's embedding package over its
// SQLite backend. `ferretdb FOLDER [HOST:PORT]` prints its URI on the first line of stdout, keeps its data in FOLDER,
// and ends when stdin does, so that it does not outlive the test that started it.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/FerretDB/FerretDB/ferretdb"
)

func main() {
	if len(os.Args) < 2 {
		log.Fatal("usage: ferretdb FOLDER [HOST:PORT]")
	}
	address := "127.0.0.1:0"
	if len(os.Args) > 2 {
		address = os.Args[2]
	}
	server, err := ferretdb.New(&ferretdb.Config{
		Listener:  ferretdb.ListenerConfig{TCP: address},
		Logger:    slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError})),
		Handler:   "sqlite",
		// What a killed process has written is there; only a power loss would take it, which no test does.
		SQLiteURL: "file:" + os.Args[1] + "/?_pragma=synchronous(off)",
	})
	if err != nil {
		log.Fatal(err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		cancel()
	}()
	go func() { fmt.Println(server.MongoDBURI()) }()
	if err := server.Run(ctx); err != nil {
		log.Fatal(err)
	}
}
