import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { ROOT } from '../tools/root.js'

const SOURCES = join(ROOT, 'apps', 'dashboard', 'src')

/** Forms that show no command at all, with the reason. */
const NO_COMMAND: Readonly<Record<string, string>> = {
  'sign-in/command-line-page.tsx': 'only the session of a browser can let a command line in',
  'sign-in/email-change-page.tsx': 'the mail has the command; the secret of the link has no place in one',
  'sign-in/invitation-page.tsx': 'the mail has the command; the secret of the link has no place in one',
  'sign-in/partner-page.tsx': 'only the session that came from the console of the partner can do it',
  'sign-in/reset-page.tsx': 'the mail has the command; the secret of the link has no place in one',
  'shell/confirm-session.tsx': 'the command line asks itself, at the command that needs it',
  'sign-in/sign-in-form.tsx': 'it starts the session of a browser',
  'sign-in/sign-in-page.tsx': 'it starts the session of a browser',
}

/** Forms that show the command line but no curl, with the reason. */
const NO_CURL: Readonly<Record<string, string>> = {
  'account/code-dialog.tsx': 'it sends a code, which has no place in a command: the command line asks for it',
  'account/delete-account-card.tsx': 'it sends the password, for which the command line asks',
  'account/enroll-dialog.tsx': 'it sends the password, for which the command line asks',
  'account/password-card.tsx': 'it sends two passwords, for which the command line asks',
  'devices/import-dialog.tsx': 'it reads a file and sends it in many calls',
  'files/upload-dialog.tsx':
    'an upload is three calls, and the second goes to an address that the first returns',
}

const files = globSync('**/*.tsx', { cwd: SOURCES })
  .filter((file) => !file.startsWith('parts/'))
  .map((file) => ({ file, source: readFileSync(join(SOURCES, file), 'utf8') }))
const count = (source: string, pattern: RegExp) => source.match(pattern)?.length ?? 0

/** Opening tags of forms. */
const FORMS = /<(?:Form|FormDialog|SaveDialog|SaveForm|form)\b/g
/** Commands beside forms: a `SaveForm` and a `SaveDialog` write their own. */
const COMMANDS =
  /<AsCommand\b[\s\S]*?\/>|<Save(?:Form|Dialog)\b(?:(?!<Save(?:Form|Dialog)|<AsCommand)[\s\S])*?\bbearing=[\s\S]*?>\n/g
const forms = files.filter(({ source }) => count(source, FORMS) > 0)

it('every form of the dashboard shows the same as a command, or has a reason not to', () => {
  expect(forms.length).toBeGreaterThan(30)
  const without = forms
    .filter(({ source }) => count(source, COMMANDS) < count(source, FORMS))
    .map(({ file }) => file)
  expect(without.sort()).toEqual(Object.keys(NO_COMMAND).sort())
})

it('every form of the dashboard that shows a command shows curl too, or has a reason not to', () => {
  const without = forms
    .filter(({ file }) => !(file in NO_COMMAND))
    // A spread passes both.
    .filter(({ source }) => !/\b(?:call=|call:|curl=|save=)|<AsCommand \{\.\.\./.test(source))
    .map(({ file }) => file)
  expect(without.sort()).toEqual(Object.keys(NO_CURL).sort())
})

it('no command of a form contains what was typed as a password, a code or a client secret', () => {
  const commands = files.flatMap(({ source }) => source.match(COMMANDS) ?? [])
  expect(commands.length).toBeGreaterThan(30)
  const secrets = commands.filter((command) =>
    /(?:\$\{|quoted\(|[:,{]\s*)(?:\.\.\.)?(?:password|secret|code|codes|current|next|proof)\b/.test(command),
  )
  expect(secrets).toEqual([])
})
