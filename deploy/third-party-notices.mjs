// Lists the packages that a bundle contains, with the text of their licenses: they ask to be handed on with the code.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Licenses that may be handed on with code under Apache-2.0 if their text goes along. */
const ALLOWED = new Set([
  'MIT',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  '0BSD',
  'MIT and ISC',
  'Unlicense',
  // Of fonts.
  'OFL-1.1',
])

/**
 * @param modules paths of the modules that a bundle was made of
 * @returns the text to hand on: for each package outside this repository its name, version, license and the license's text
 * @throws if a package has a license that is not known to be compatible, or brings no text of it
 */
export function thirdPartyNotices(modules) {
  const packages = new Map()
  for (const path of modules) {
    const folder = packageOf(path)
    if (folder === undefined || isEmpty(path)) continue
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    packages.set(`${name} ${version}`, { folder, license })
  }
  const parts = [...packages].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return parts
    .map(([title, { folder, license }]) => {
      if (!ALLOWED.has(license))
        throw new Error(`${title} has the license "${license}", which is not allowed.`)
      return `${title}\nLicense: ${license}\n\n${textOf(folder, title)}\n`
    })
    .join(`\n${'-'.repeat(80)}\n\n`)
}

/** Returns true if a module only restricts its imports, such as that of `client-only`: nothing of it is handed on. */
function isEmpty(path) {
  const file = path.split('?')[0].replaceAll('\0', '')
  return existsSync(file) && readFileSync(file, 'utf8').trim() === ''
}

/** The folder of the package from elsewhere that contains the module. */
function packageOf(path) {
  const file = path.split('?')[0].replaceAll('\0', '')
  if (!/[\\/]node_modules[\\/]/.test(file)) return undefined
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const manifest = join(folder, 'package.json')
    // Folders in packages have a manifest of their own that only says which modules they contain.
    if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version !== undefined)
      return folder
  }
  return undefined
}

function textOf(folder, title) {
  const name = readdirSync(folder).find((entry) => /^(licen[cs]e|copying)/i.test(entry))
  // Some packages leave the text in their repository.
  const kept = join(import.meta.dirname, 'licenses', title.split(' ')[0].replace('/', '__'))
  if (name === undefined && existsSync(`${kept}.txt`)) return readFileSync(`${kept}.txt`, 'utf8').trim()
  if (name === undefined) throw new Error(`${title} brings no text of its license.`)
  // Compiled code of others, of which the package has no text.
  const contained = `${kept}.contains.txt`
  const files = [join(folder, name), ...(existsSync(contained) ? [contained] : [])]
  return files.map((file) => readFileSync(file, 'utf8').trim()).join('\n\n')
}
