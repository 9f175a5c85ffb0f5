export interface MailText {
  readonly subject: string
  readonly text: string
  readonly html: string
}

export function invitationMail(about: {
  readonly link: string
  readonly invitedBy: string
  readonly expiresAt: Date
}): MailText {
  return mail('You are invited to Bearing', [
    `${about.invitedBy} invites you to an organization on Bearing.`,
    'To accept, open this link:',
    { href: about.link },
    `It works once, until ${minute(about.expiresAt)}, and only for this email address. Do not pass it on.`,
    'On the command line: "bearing invitations accept" asks for the text after the "#".',
    'If you did not expect this, you do not need to do anything.',
  ])
}

export function passwordResetMail(about: { readonly link: string; readonly expiresAt: Date }): MailText {
  return mail('Set a new password for Bearing', [
    'A new password was requested for your account on Bearing, probably by you.',
    'To do so, open this link:',
    { href: about.link },
    `It works once, until ${minute(about.expiresAt)}. Do not pass it on.`,
    'On the command line: "bearing password set --link" asks for the text after the "#".',
    'If it was not you, you do not need to do anything: your password does not change.',
  ])
}

/** Returns the mail that notifies a user of a changed password. */
export function passwordChangedMail(): MailText {
  return mail('Your password for Bearing was changed', [
    'The password of your account on Bearing was changed just now, and all your sessions have ended. If it was set through a link, your API key was deleted too.',
    'If it was not you: request a new password immediately, which deletes the API key, and notify your administrator.',
  ])
}

/** Returns the mail with which the new or the present address of an account confirms a change. */
export function emailChangeMail(about: {
  readonly link: string
  readonly newEmail: string
  readonly isNew: boolean
  readonly expiresAt: Date
}): MailText {
  return mail('Confirm the new email address for Bearing', [
    about.isNew
      ? 'An account on Bearing is to get this email address.'
      : `Your account on Bearing is to get the email address ${about.newEmail} instead of this one.`,
    'To confirm, open this link:',
    { href: about.link },
    `It works once, until ${minute(about.expiresAt)}. The address changes when both the new and the present address are confirmed. Do not pass it on.`,
    'On the command line: "bearing email confirm" asks for the text after the "#".',
    about.isNew
      ? 'If you did not expect this, you do not need to do anything.'
      : 'If it was not you: do not open the link, change your password ("bearing password set"), which cancels the change, and notify your administrator.',
  ])
}

/** Returns the mail that notifies the old address of a changed one. */
export function emailChangedMail(): MailText {
  return mail('The email address of your Bearing account was changed', [
    'Your account on Bearing has another email address now. This one no longer signs in, and all your sessions have ended.',
    'If it was not you: notify your administrator immediately.',
  ])
}

/** Returns the mail that notifies a user of a new API key. */
export function userKeyCreatedMail(about: { readonly at: Date; readonly address: string | null }): MailText {
  const from = about.address === null ? '' : ` by a request from ${about.address}`
  return mail('A new API key for your Bearing account', [
    `A new API key was created for your account on Bearing at ${minute(about.at)}${from}. The key before it, if there was one, no longer works.`,
    'If this was you, you do not need to do anything.',
    'If it was not you: delete the API key ("bearing user-key delete"), change your password ("bearing password set"), and notify your administrator.',
  ])
}

/** Returns the mail that notifies a user of a new passkey. */
export function passkeyAddedMail(): MailText {
  return mail('A new passkey for your Bearing account', [
    'A passkey was added to your account on Bearing. It signs in without your password, and is not removed by a new password.',
    'If this was you, you do not need to do anything.',
    'If it was not you: remove the passkey on the account page of the dashboard ("bearing passkeys delete"), change your password ("bearing password set"), and notify your administrator. If you cannot sign in, an operator can reset your second factor.',
  ])
}

/** Returns the mail that notifies a user of a passkey that may have been copied. */
export function passkeyRefusedMail(): MailText {
  return mail('A passkey of your Bearing account was refused', [
    'A passkey of your account on Bearing was refused, because its authenticator has counted fewer signatures than before. There may be a copy of it.',
    'Remove this passkey on the account page of the dashboard ("bearing passkeys delete"), add a new one, and notify your administrator.',
  ])
}

/** Returns the mail that notifies a user of sign-ins from new networks. */
export function newNetworkMail(
  networks: readonly { readonly network: string; readonly at: Date }[],
): MailText {
  return mail('Sign-in to Bearing from a new network', [
    'Somebody signed in to your account on Bearing, or used its password, from a network that was not used for it before:',
    ...networks.map(({ network, at }) => `${network}, at ${minute(at)}`),
    'If this was you, you do not need to do anything.',
    'If it was not you: change your password ("bearing password set"), which ends your other sessions and those of command lines, delete your API key ("bearing user-key delete"), and notify your administrator.',
  ])
}

/** Returns the mail that notifies an admin of organization tokens that are about to expire. */
export function tokensExpiringMail(
  tokens: readonly { readonly id: string; readonly description: string; readonly expiresAt: Date }[],
): MailText {
  const isOne = tokens.length === 1
  return mail(isOne ? 'An organization token expires soon' : 'Organization tokens expire soon', [
    `${isOne ? 'This auth token' : 'These auth tokens'} of your organization on Bearing ${isOne ? 'expires' : 'expire'} soon. Programs that use ${isOne ? 'it' : 'them'} are rejected from then on:`,
    ...tokens.map(({ id, description, expiresAt }) => `${description} (${id}), on ${minute(expiresAt)}`),
    'A rotated token never lives longer than the one before. Create a new token ("bearing org-tokens create"), and change the programs to it before that date.',
    'If nothing uses the token anymore, you do not need to do anything. "bearing org-tokens list" shows its last use.',
  ])
}

/** Returns the mail that notifies an admin of a new token, or trust in workloads, that administers the organization. */
export function administrationMail(about: {
  readonly id: string
  readonly what: 'token' | 'trust'
  readonly text: string
  readonly createdBy: string
}): MailText {
  const { id, text, createdBy } = about
  const [noun, remedy] =
    about.what === 'token'
      ? ['an auth token', `bearing org-tokens delete ${id}`]
      : ['a trust in workloads, without a stored secret,', `bearing trusts delete ${id}`]
  return mail(`Administration of your organization on Bearing by ${noun.split(',')[0] ?? noun}`, [
    `${createdBy} created ${noun} that can administer your organization on Bearing: ${text} (${id}).`,
    'If you expected this, you do not need to do anything.',
    `If you did not: delete it ("${remedy}"), and ask the user who created it. "bearing org-tokens policy set --administration forbid" takes administration from all tokens.`,
  ])
}

type Paragraph = string | { readonly href: string }

/** The mail loads nothing from elsewhere, so reading it reveals nothing. */
function mail(subject: string, paragraphs: readonly Paragraph[]): MailText {
  const text = paragraphs.map((paragraph) => (typeof paragraph === 'string' ? paragraph : paragraph.href))
  const html = paragraphs.map((paragraph) =>
    typeof paragraph === 'string'
      ? `<p>${escape(paragraph)}</p>`
      : `<p><a href="${escape(paragraph.href)}">${escape(paragraph.href)}</a></p>`,
  )
  return {
    subject,
    text: `${text.join('\n\n')}\n`,
    html: `<!doctype html><html lang="en"><meta charset="utf-8"><title>${escape(subject)}</title><body>${html.join('')}</body></html>`,
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}

/** In UTC, for readers in any time zone. */
function minute(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
