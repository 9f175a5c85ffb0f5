import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { addSetConnection } from './set-connection.js'
import { addCreateConnection } from './create-connection.js'
import { addDeleteConnection } from './delete-connection.js'
import { addDomains } from './domains.js'
import { addListConnections } from './list-connections.js'
import { addPartnerLinks } from './partner-links.js'
import { addShowConnection } from './show-connection.js'

/** `bearing sso …` */
export function addSso(program: Command, cli: Cli): void {
  const sso = program.command('sso').description('single sign-on of an organization')
  const connections = sso.command('connections').description('the identity providers of an organization')
  addListConnections(connections, cli)
  addShowConnection(connections, cli)
  addCreateConnection(connections, cli)
  addSetConnection(connections, cli)
  addDeleteConnection(connections, cli)
  addDomains(sso.command('domains').description('the email domains of an organization'), cli)
  addPartnerLinks(
    sso.command('partner-links').description('requests of partner teams to be linked with an organization'),
    cli,
  )
}
