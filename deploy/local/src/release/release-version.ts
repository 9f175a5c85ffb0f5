import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { withRelease } from './changelog.js'
import { filesWithVersion } from './version-places.js'

// `pnpm release:version <version>`: writes the version everywhere, and closes the "Unreleased" section of the changelog. Commit
// the result, tag it `v<version>`, then run `pnpm release`.
const SEMANTIC = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/
const checkout = join(import.meta.dirname, '..', '..', '..', '..')
const [version = ''] = process.argv.slice(2)
if (!SEMANTIC.test(version)) {
  process.stderr.write('Give a version, for example: npx pnpm release:version 0.2.0\n')
  process.exit(2)
}
const changelog = join(checkout, 'CHANGELOG.md')
const today = new Date().toISOString().slice(0, 10)
await writeFile(changelog, withRelease(await readFile(changelog, 'utf8'), version, today))
for (const [path, text] of filesWithVersion(checkout, version)) await writeFile(join(checkout, path), text)
process.stdout.write(`Everything has the version ${version}. Commit it, and tag it: git tag v${version}\n`)
