import type { CallOutput } from '@bearing/client/call-types'
import type { Cli } from '../cli.js'

export function printConnection({ output }: Cli, connection: CallOutput<'showSsoConnection'>): void {
  output.record(
    {
      Name: connection.name,
      Issuer: connection.issuer,
      'Client id': connection.client_id,
      'Client secret': connection.has_client_secret ? 'yes' : 'none: a public client',
      Scopes: connection.scopes.join(' '),
      'Just in time': connection.just_in_time ? 'yes' : 'no',
      Enabled: connection.enabled ? 'yes' : 'no',
      'Redirect URI': `<URL of the gateway>${connection.callback_path}`,
      'Sign in at': `<URL of the gateway>${connection.sign_in_path}`,
      Id: connection.id,
    },
    connection,
  )
}
