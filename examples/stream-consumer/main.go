// Prints what devices send, a line of JSON each, until it is stopped.
//
//	NATS_URL           such as nats://127.0.0.1:4222
//	NATS_NKEY_FILE     with the seed of the NATS user, SU…
//	STREAM_CONSUMER    made by `bearing admin stream-consumers create`; the name of the NATS user
package main

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/nats-io/nats.go"
)

const (
	batch = 100
	wait  = 5 * time.Second
)

func run() error {
	consumer := os.Getenv("STREAM_CONSUMER")
	nkey, err := nats.NkeyOptionFromSeed(os.Getenv("NATS_NKEY_FILE"))
	if err != nil {
		return err
	}
	connection, err := nats.Connect(
		os.Getenv("NATS_URL"), nkey, nats.CustomInboxPrefix("_INBOX."+consumer), nats.MaxReconnects(-1),
	)
	if err != nil {
		return err
	}
	defer connection.Close()
	jetstream, err := connection.JetStream()
	if err != nil {
		return err
	}
	subscription, err := jetstream.PullSubscribe("", "", nats.Bind("DEVICE_DATA", consumer))
	if err != nil {
		return err
	}
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt, syscall.SIGTERM)
	for {
		select {
		case <-stop:
			return nil
		default:
		}
		messages, err := subscription.Fetch(batch, nats.MaxWait(wait))
		if err != nil && !errors.Is(err, nats.ErrTimeout) {
			time.Sleep(time.Second) // the connection comes back by itself
		}
		// One that was printed before a crash comes again: keep the last ids where that matters.
		for _, message := range messages {
			meta, err := message.Metadata()
			if err != nil {
				return err
			}
			fmt.Printf("%d %s\n", meta.Sequence.Stream, message.Data)
			// After it was handled: what is not acknowledged within 30 s comes again.
			if err := message.Ack(); err != nil {
				return err
			}
		}
	}
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
