import { runTool } from './run-tool.js'

const SERVICE = 'bearing'

/** The keychain of the system. No method throws: without a keychain nothing is found or stored. */
export interface Keychain {
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
