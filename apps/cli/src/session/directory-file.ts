import { readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Slug } from '@bearing/contracts/primitives'
import { TomlError, parse } from 'smol-toml'
import { z } from 'zod'
import { UsageError } from '../ground/usage-error.js'

const NAME = '.bearing.toml'
/** Nobody has a longer one. */
const MAX_BYTES = 65_536

const Content = z.strictObject({
  server: z.url({ protocol: /^https?$/ }).optional(),
  organization: Slug.optional(),
  project: Slug.optional(),
})

/** Content of a `.bearing.toml`. */
export interface DirectoryFile extends z.infer<typeof Content> {
  readonly path: string
}

/**
 * Reads the `.bearing.toml` of a folder, or of the nearest folder above that has one. Files of other users are ignored: anyone
 * could put one above a shared folder.
 *
 * @throws UsageError if it is no valid file, or has other keys; never repeats a value, which may be a secret
 */
export function readDirectoryFile(folder: string): DirectoryFile | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const path = join(at, NAME)
    const text = ownText(path)
    if (text !== undefined) return { path, ...contentOf(path, text) }
    if (dirname(at) === at) return undefined
  }
}

function ownText(path: string): string | undefined {
  try {
    const { uid, size } = statSync(path)
    const own = process.getuid?.()
    if (own !== undefined && uid !== own) return undefined
    if (size > MAX_BYTES) throw new UsageError(`${path} is too large.`)
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof UsageError) throw error
    return undefined
  }
}

function contentOf(path: string, text: string): z.infer<typeof Content> {
  const content = Content.safeParse(tableOf(path, text))
  if (content.success) return content.data
  const keys = content.error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys : issue.path.map(String),
  )
  throw new UsageError(
    `${path} has keys that are not valid: ${[...new Set(keys)].join(', ')}.`,
    'It may have "server" (a URL), "organization" and "project" (slugs). Never write a credential into it.',
  )
}

function tableOf(path: string, text: string): unknown {
  try {
    return parse(text)
  } catch (error) {
    const line = error instanceof TomlError ? `, line ${String(error.line)}` : ''
    throw new UsageError(`${path} is not valid TOML${line}.`)
  }
}
