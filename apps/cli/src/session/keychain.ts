import { spawn } from 'node:child_process'

const SERVICE = 'bearing'

/** The keychain of the system. No method throws: without a keychain nothing is found or stored. */
interface Keychain {
  /** @returns whether it is stored */
  store(name: string, secret: string): Promise<boolean>
  read(name: string): Promise<string | undefined>
  remove(name: string): Promise<void>
}

/** The Secret Service of Linux desktops, through `secret-tool` of libsecret. */
const secretService: Keychain = {
  store: async (name, secret) => {
    const label = ['store', `--label=Bearing: ${name}`, ...attributes(name)]
    return (await runTool('secret-tool', label, secret)) !== undefined
  },
  read: async (name) => lineOf(await runTool('secret-tool', ['lookup', ...attributes(name)], '')),
  remove: async (name) => {
    await runTool('secret-tool', ['clear', ...attributes(name)], '')
  },
}

/** The keychain of macOS, through `security`. Its interactive mode takes the secret from standard input. */
const macos: Keychain = {
  store: async (name, secret) => {
    const command = `add-generic-password -U -s ${SERVICE} -a "${name}" -w "${secret}"\n`
    return (await runTool('security', ['-i'], command)) !== undefined
  },
  read: async (name) =>
    lineOf(await runTool('security', ['find-generic-password', '-s', SERVICE, '-a', name, '-w'], '')),
  remove: async (name) => {
    await runTool('security', ['delete-generic-password', '-s', SERVICE, '-a', name], '')
  },
}

/** Returns the keychain of a system; undefined if none is known. */
export function keychainOf(platform: NodeJS.Platform): Keychain | undefined {
  if (platform === 'darwin') return macos
  return platform === 'linux' ? secretService : undefined
}

function attributes(name: string): string[] {
  return ['service', SERVICE, 'context', name]
}

function lineOf(output: string | undefined): string | undefined {
  return output?.replace(/\r?\n$/, '') || undefined
}

/** Longest wait for a keychain that asks its user for a password, in milliseconds. */
const TIMEOUT_MS = 60_000

/**
 * Runs a program with text on its standard input: arguments can be read by every user of the machine, standard input cannot.
 *
 * @returns its standard output; undefined if it is missing, fails, or takes longer than a minute
 */
function runTool(program: string, args: readonly string[], input: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    // Not the option `timeout`: its timer keeps this process running if the program is missing.
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'], signal })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk))
    child.once('error', () => {
      resolve(undefined)
    })
    child.once('close', (code) => {
      resolve(code === 0 ? output : undefined)
    })
    // A program that does not read its input closes it early.
    child.stdin.on('error', () => undefined)
    child.stdin.end(input)
  })
}
