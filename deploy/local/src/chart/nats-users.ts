import { NATS_USERS, NATS_USER_NAMES, type NatsUserName } from '@bearing/contracts/nats/nats-users'
import { permissionsOf, usersConfiguration } from '@bearing/nats/permissions'

const BEGIN = '# users: written by `pnpm generate`\n'
const END = '# /users\n'

/** The variable of the environment that `deploy/nats.conf` takes a user's public key from. */
export function nkeyVariable(name: NatsUserName): string {
  return `NATS_${name.toUpperCase()}_NKEY`
}

/**
 * Puts all users between the marks of `deploy/nats.conf`.
 *
 * @throws where the text has no marks
 */
export function withUsers(text: string): string {
  const variables = NATS_USER_NAMES.map((name) => [name, `$${nkeyVariable(name)}`])
  const users = usersConfiguration(Object.fromEntries(variables) as Record<NatsUserName, string>) // one for each
  return between(
    text,
    '    ',
    users.map((user, index) => `# ${NATS_USER_NAMES[index] ?? ''}\n${user}`),
  )
}

/**
 * Puts all users between the marks of `deploy/kubernetes/nats-values.yaml`: the same, as values for the chart of NATS.
 *
 * @throws where the text has no marks
 */
export function withUsersAsValues(text: string): string {
  const users = NATS_USER_NAMES.map((name) => {
    const { publish, subscribe } = permissionsOf(name, NATS_USERS[name])
    return [
      `- nkey: << $${nkeyVariable(name)} >>`,
      '  permissions:',
      // An empty list of what is allowed would allow everything.
      ...(publish.length > 0 ? rule('publish', 'allow', publish) : rule('publish', 'deny', ['>'])),
      ...rule('subscribe', 'allow', subscribe),
    ].join('\n')
  })
  return between(text, '        ', users)
}

const rule = (verb: string, effect: string, subjects: readonly string[]) => [
  `    ${verb}:`,
  `      ${effect}:`,
  ...subjects.map((subject) => `        - '${subject}'`),
]

function between(text: string, indentation: string, users: readonly string[]): string {
  const begin = text.indexOf(`${indentation}${BEGIN}`)
  const end = text.indexOf(`${indentation}${END}`)
  if (begin < 0 || end < begin) throw new Error('there is no place for the users of NATS')
  const from = begin + indentation.length + BEGIN.length
  const lines = users.flatMap((user) => user.split('\n')).map((line) => `${indentation}${line}\n`)
  return `${text.slice(0, from)}${lines.join('')}${text.slice(end)}`
}
