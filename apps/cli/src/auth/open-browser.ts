import { spawn } from 'node:child_process'

/** Opens a page in the user's browser, if there is one. The URL is printed as well, so a failure does not matter. */
export function openBrowser(url: string): void {
  const { protocol } = new URL(url)
  if (protocol !== 'https:' && protocol !== 'http:') return
  const [program = '', ...args] = OPENERS[process.platform] ?? ['xdg-open']
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true })
  child.once('error', () => undefined)
  child.unref()
}

const OPENERS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  // `start` is a command of the shell, which would read "&" in the URL.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}
