import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { MAX_IMPORTED_LEGACY_TOKENS } from '@bearing/contracts/identity/tokens/legacy-token'
import { ID, verb, callVerb, listVerb } from '../session/verb.js'
import { futureMoment } from '../ground/times.js'
import { moment } from '../ground/output/format.js'
import { findProjectIds } from './find-project-ids.js'
import { UsageError } from '../ground/usage-error.js'
import { idOf, oneOf, required } from '../ground/arguments.js'

verb('legacy-tokens import', {
  about:
    'accept tokens from before organization auth tokens until a date; only their hashes are sent; with --project they have access only to this project',
  takes: {
    '<file>': 'one token per line; lines that start with # are ignored',
    '--sunset <date>': required('expiry: 2027-01-31 or 2027-01-31T09:00:00Z'),
    '--kind <kind>': { ...oneOf('kind of the tokens', ['service', 'evaluation']), initial: 'service' },
    '--hashed': 'the file contains SHA-256 hashes in hexadecimal instead of tokens',
  },
  examples: ['tokens.txt --sunset 2027-06-30'],
  run: async (cli, { file, sunset, kind, hashed }) => {
    const sunset_at = futureMoment(sunset, '--sunset', cli.terminal.now())
    const hashes = await readHashes(file, hashed ?? false)
    const session = await cli.session()
    const { client, organization } = session
    if (cli.projectFlags.length > 1) throw new UsageError('A legacy token can have one project only.')
    // Only flags count, because BEARING_PROJECT is for other commands.
    const [project_id] = await findProjectIds(session, cli.projectFlags)
    const total = { imported: 0, updated: 0 }
    for (let at = 0; at < hashes.length; at += MAX_IMPORTED_LEGACY_TOKENS) {
      const tokens = hashes
        .slice(at, at + MAX_IMPORTED_LEGACY_TOKENS)
        .map((sha256) => ({ sha256, kind, project_id }))
      const done = await client.call('importLegacyTokens', { organization, sunset_at, tokens })
      total.imported += done.imported
      total.updated += done.updated
    }
    cli.output.done('Legacy tokens imported.')
    cli.output.record(
      { New: String(total.imported), Updated: String(total.updated), Sunset: moment(sunset_at) },
      total,
    )
  },
})

/** @throws UsageError if the file is unreadable or empty, or has a line that is not a hash */
async function readHashes(file: string, hashed: boolean): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new UsageError(`The file ${file} cannot be read.`)
  })
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
  if (lines.length === 0) throw new UsageError(`The file ${file} contains no tokens.`)
  if (!hashed) return unique(lines.map((line) => createHash('sha256').update(line, 'utf8').digest('hex')))
  // The message names only the position: the line may be a token.
  const wrong = lines.findIndex((line) => !/^[0-9a-f]{64}$/i.test(line))
  if (wrong >= 0)
    throw new UsageError(
      `Token ${String(wrong + 1)} of ${file} is not a SHA-256 in hexadecimal. Leave out --hashed if the file contains tokens.`,
    )
  return unique(lines.map((line) => line.toLowerCase()))
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)]
}

listVerb('legacy-tokens list', {
  about: 'list the imported tokens, and when each was last used',
  list: 'listLegacyTokens',
  columns: {
    Id: 'id',
    Kind: 'kind',
    Description: 'description',
    State: 'state',
    Project: ({ project_id }) => project_id ?? 'all',
    Sunset: 'sunset_at',
    'Last used': 'last_used_at',
  },
  empty: 'No legacy tokens were imported. Import some: bearing legacy-tokens import <file> --sunset <date>',
})

callVerb('legacy-tokens delete', {
  about: 'delete an imported token; it stops working immediately',
  takes: { '<id>': idOf('id of the token, from "bearing legacy-tokens list"', 'bearing legacy-tokens list') },
  examples: [ID],
  question: 'Delete the token? Whatever still sends it is rejected immediately.',
  call: 'deleteLegacyToken',
  input: ({ id }) => ({ legacy_token_id: id }),
  done: 'Legacy token deleted.',
  show: { Id: 'id', Kind: 'kind', Description: 'description', 'Last used': 'last_used_at' },
})
