import { readEnvironment } from '../ground/environment.js'
import { useProxy } from '../ground/proxy.js'
import { EXIT } from '../session/cli.js'
import { run } from './run.js'

/** Runs the command line of this process. @param variables of the environment */
export async function start(variables: NodeJS.ProcessEnv): Promise<void> {
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
    environment: readEnvironment(variables, process.cwd()),
    now: Date.now,
    signal: interrupted.signal,
  }
  await useProxy(variables)
  process.exitCode = await run(process.argv.slice(2), environment)
  // Unread standard input would keep the process running.
  process.stdin.destroy()
}
