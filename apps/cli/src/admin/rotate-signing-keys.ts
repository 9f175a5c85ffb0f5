import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { changeSecretSetting } from '../keys/secret-setting.js'
import {
  addSigningKey,
  promoteSigningKey,
  retireSigningKeys,
  type ChangedKeys,
} from '../keys/signing-keys.js'

const NAME = 'IDENTITY_SIGNING_KEYS'
const HELP = `
Without --env-file the value of ${NAME} is read from standard input, and the new one written to standard output.

To rotate without a gap:
  1. signing-keys add      then deploy identity: the new key is published, the old one still signs
  2. signing-keys promote  two minutes later, when every service knows the new key; then deploy identity
  3. signing-keys retire   two minutes later, when nothing that the old key has signed is valid; then deploy identity`

export function addRotateSigningKeys(admin: Command, cli: Cli): void {
  const keys = admin
    .command('signing-keys')
    .description('rotate the signing keys of claims, in three steps')
    .addHelpText('after', HELP)
  addStep(keys, cli, 'add', 'add a key, which is published and does not sign yet', addSigningKey, 'added')
  addStep(keys, cli, 'promote', 'sign with the newest key', promoteSigningKey, 'promoted')
  addStep(
    keys,
    cli,
    'retire',
    'remove all keys except the signing key',
    retireSigningKeys,
    'kept; the others were removed',
  )
}

function addStep(
  keys: Command,
  cli: Cli,
  name: string,
  description: string,
  change: (value: string) => ChangedKeys,
  done: string,
): void {
  keys
    .command(name)
    .description(description)
    .option('--env-file <file>', `file that contains ${NAME}`)
    .addHelpText('after', HELP)
    .action(async ({ envFile }: { envFile?: string }) => {
      const { id } = await changeSecretSetting(cli, NAME, envFile, change)
      cli.output.notice(`Signing key ${id} ${done}. Deploy identity with the new value.`)
    })
}
