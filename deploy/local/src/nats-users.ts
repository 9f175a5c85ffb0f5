import { NATS_USER_NAMES, type NatsUserName } from '@bearing/contracts/nats-users'
import { usersConfiguration } from '@bearing/nats/permissions'

const BEGIN = '    # users: written by `pnpm nats-users`\n'
const END = '    # /users\n'

/** The variable of the environment that `deploy/nats.conf` takes a user's public key from. */
export function nkeyVariable(name: NatsUserName): string {
  return `NATS_${name.toUpperCase()}_NKEY`
}

/**
 * Puts all users between their marks.
 *
 * @throws where the text has no marks
 */
export function withUsers(text: string): string {
  const begin = text.indexOf(BEGIN)
  const end = text.indexOf(END)
  if (begin < 0 || end < begin) throw new Error('there is no place for the users of NATS')
  const variables = NATS_USER_NAMES.map((name) => [name, `$${nkeyVariable(name)}`])
  const users = usersConfiguration(Object.fromEntries(variables) as Record<NatsUserName, string>) // one for each
  const indented = users.map((user, index) => {
    const name = `# ${NATS_USER_NAMES[index] ?? ''}`
    return [name, ...user.split('\n')].map((line) => `    ${line}\n`).join('')
  })
  return `${text.slice(0, begin + BEGIN.length)}${indented.join('')}${text.slice(end)}`
}
