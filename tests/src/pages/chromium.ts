import { execFile } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { createRequire } from 'node:module'
import { env } from 'node:process'
import { promisify } from 'node:util'
import { chromium, type Browser } from 'playwright-core'

/** Path at which distributions install it. */
const INSTALLED = '/usr/bin/chromium'
/** A library that Chromium needs and slim images lack. */
const NSS = '/{usr/,}lib{64,}/{*/,}libnss3.so'

/** Returns whether a browser can be had here: one that is installed, or the one of npm, which is for Linux on x64. */
export function hasChromium(): boolean {
  return installedChromium() !== undefined || (process.platform === 'linux' && process.arch === 'x64')
}

function installedChromium(): string | undefined {
  return [env['CHROMIUM_PATH'], INSTALLED].find((path) => path !== undefined && existsSync(path))
}

/**
 * Returns a browser: that of `CHROMIUM_PATH`, the installed one, or the one of npm, which is unpacked at the first use.
 *
 * @param more arguments of its command line
 */
export async function launchChromium(more: readonly string[] = []): Promise<Browser> {
  const installed = installedChromium()
  const folder = installed === undefined ? await unpackChromium() : undefined
  const libraries =
    folder !== undefined && globSync(NSS).length === 0 ? join(folder, 'al2023', 'lib') : undefined
  return chromium.launch({
    executablePath: installed ?? join(folder ?? '', 'chromium'),
    // The sandbox needs rights that containers do not have. Tests visit loopback only.
    args: ['--no-sandbox', '--enable-unsafe-swiftshader', ...more],
    env: { ...env, ...(libraries !== undefined && { LD_LIBRARY_PATH: libraries }) },
  })
}

/**
 * Unpacks the Chromium of npm into a folder of this user and version. Several processes may do so at a time: each into a folder of
 * its own, which then takes the final name.
 *
 * @returns the folder
 */
async function unpackChromium(): Promise<string> {
  const require = createRequire(import.meta.url)
  const main = require.resolve('@sparticuz/chromium')
  const { version } = require(join(dirname(main), '..', 'package.json')) as { version: string }
  const folder = join(tmpdir(), `bearing-chromium-${version}-${userInfo().username}`)
  if (existsSync(folder)) return folder
  const next = await mkdtemp(join(tmpdir(), 'bearing-chromium-next-'))
  const archives = ['chromium.br', 'fonts.tar.br', 'swiftshader.tar.br', 'al2023.tar.br'].map((name) =>
    join(dirname(main), '..', 'bin', name),
  )
  await promisify(execFile)(
    process.execPath,
    [join(import.meta.dirname, 'unpack-chromium.js'), ...archives],
    {
      env: { ...env, TMPDIR: next },
    },
  )
  try {
    await rename(next, folder)
  } catch {
    await rm(next, { recursive: true, force: true }) // another process was faster
  }
  return folder
}
