import type { CallOutput } from '@bearing/client/call-types'
import { useQuery } from '@tanstack/react-query'
import { makeCall, calling } from '../ground/calling.js'
import { useAction } from '../ground/use-action.js'
import { PermittedButton } from '../parts/button.js'
import { Loaded } from '../parts/loaded.js'
import { Card } from '../parts/page.js'
import { Problem } from '../parts/problem.js'
import { useSave } from '../parts/save-form.js'
import { Table } from '../parts/table.js'
import { Time } from '../parts/time.js'

type Session = CallOutput<'listSessions'>['data'][number]

const METHODS: Record<Session['methods'][number], string> = {
  pwd: 'password',
  otp: 'authenticator',
  recovery: 'recovery code',
  passkey: 'passkey',
  sso: 'single sign-on',
}

/** The most sessions that are listed. */
const SHOWN = 50

export function SessionsCard() {
  const sessions = useQuery(calling(['sessions'], 'listSessions', { per_page: SHOWN }))
  const end = useAction((id: string) => makeCall('endSession', { session_id: id }, ['sessions']))
  const endOthers = useSave('endOtherSessions', {}, ['sessions'])
  return (
    <Card title="Sessions" about="The browsers and command lines in which you are signed in.">
      <Loaded query={sessions} lines={2}>
        {({ data, paging }) => (
          <>
            <Table
              idOf={({ id }) => id}
              rows={data}
              columns={[
                { title: 'Where', isRowHeader: true, cell: (session) => <Where session={session} /> },
                { title: 'From', cell: ({ address }) => address ?? 'unknown' },
                {
                  title: 'Signed in with',
                  cell: ({ methods }) => methods.map((method) => METHODS[method]).join(' and '),
                },
                { title: 'Last used', cell: ({ last_seen_at }) => <Time at={last_seen_at} /> },
                {
                  title: 'Actions',
                  isActions: true,
                  cell: ({ id, address, current }) =>
                    !current && (
                      <PermittedButton
                        look="small"
                        permission="session:end"
                        aria-label={`End the session from ${address ?? 'an unknown address'}`}
                        onPress={() => void end.run(id)}
                      >
                        End
                      </PermittedButton>
                    ),
                },
              ]}
            />
            <Problem error={end.error ?? endOthers.error} />
            {paging.total_count > 1 && (
              <div className="row">
                <PermittedButton
                  permission="session:end"
                  isPending={endOthers.isPending}
                  onPress={() => void endOthers.run()}
                >
                  End all other sessions
                </PermittedButton>
                {paging.total_count > data.length && (
                  <span className="quiet">
                    The newest {data.length} are listed, of {paging.total_count}.
                  </span>
                )}
              </div>
            )}
          </>
        )}
      </Loaded>
    </Card>
  )
}

function Where({ session: { user_agent, host, current } }: { readonly session: Session }) {
  return (
    <>
      {host === null ? (
        <span title={user_agent ?? undefined}>{browserOf(user_agent)}</span>
      ) : (
        <span>Command line on {host}</span>
      )}{' '}
      {current && <span className="badge accent">this browser</span>}
    </>
  )
}

/** Returns what a `User-Agent` most likely is. Its full text is in the title. */
function browserOf(agent: string | null): string {
  if (agent === null || agent === '') return 'Unknown client'
  const name = ['Firefox', 'Edg', 'OPR', 'Chrome', 'Safari'].find((candidate) =>
    agent.includes(`${candidate}/`),
  )
  const system = ['Windows', 'Android', 'iPhone', 'iPad', 'Mac OS X', 'Linux'].find((candidate) =>
    agent.includes(candidate),
  )
  if (name === undefined) return agent.slice(0, 40)
  const shown = name === 'Edg' ? 'Edge' : name === 'OPR' ? 'Opera' : name
  return system === undefined ? shown : `${shown} on ${system === 'Mac OS X' ? 'macOS' : system}`
}
