#!/usr/bin/env node
import { readEnvironment } from './environment.js'
import { EXIT } from './error-report.js'
import { run } from './run.js'

const interrupted = new AbortController()
process.once('SIGINT', () => {
  interrupted.abort(new Error('Interrupted.'))
})

// The reader of our output may leave early, as `head` does: that is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(EXIT.ok)
  process.stderr.write(`error: Standard output cannot be written (${error.code ?? 'unknown error'}).\n`)
  process.exit(EXIT.refused)
})

process.exitCode = await run(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  environment: readEnvironment(process.env),
  now: Date.now,
  signal: interrupted.signal,
})
// Standard input that was opened and not read to its end would keep the process.
process.stdin.destroy()
