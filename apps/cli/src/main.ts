#!/usr/bin/env node
import { readEnvironment } from './ground/environment.js'
import { useProxy } from './ground/proxy.js'
import { EXIT } from './session/error-report.js'
import { run } from './program/run.js'

const interrupted = new AbortController()
process.once('SIGINT', () => {
  interrupted.abort(new Error('Interrupted.'))
})

// The reader of the output may close it early, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(EXIT.ok)
  process.stderr.write(`error: Standard output cannot be written (${error.code ?? 'unknown error'}).\n`)
  process.exit(EXIT.refused)
})

const environment = {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  environment: readEnvironment(process.env, process.cwd()),
  now: Date.now,
  signal: interrupted.signal,
}
// No top-level await: single executables are CommonJS.
void useProxy(process.env)
  .then(() => run(process.argv.slice(2), environment))
  .then((code) => {
    process.exitCode = code
    // Unread standard input would keep the process running.
    process.stdin.destroy()
  })
