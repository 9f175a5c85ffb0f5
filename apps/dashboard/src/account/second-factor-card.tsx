import { useQuery } from '@tanstack/react-query'
import { calling } from '../ground/calling.js'
import { queryClient } from '../ground/query-client.js'
import { useScope } from '../ground/scope.js'
import { DialogButton } from '../parts/dialog-button.js'
import { Loaded } from '../parts/loaded.js'
import { Card } from '../parts/page.js'
import { Time } from '../parts/time.js'
import { CodeDialog } from './code-dialog.js'
import { EnrollDialog } from './enroll-dialog.js'

/** Recovery codes that are few enough to say so. */
const FEW = 3

export function SecondFactorCard() {
  const { refused } = useScope()
  const factor = useQuery({
    ...calling(['totp'], 'showTotp', {}),
    enabled: !refused('second-factor:read'),
  })
  const reread = () => {
    // Other cards ask for a code if the user has a second factor.
    for (const key of ['totp', 'sessions', 'me']) void queryClient.invalidateQueries({ queryKey: [key] })
  }
  return (
    <Card
      title="Second factor"
      about="A code of an authenticator app or a recovery code, besides the password."
    >
      {refused('second-factor:read') ? (
        <p className="quiet">{refused('second-factor:read')?.message}</p>
      ) : (
        <Loaded query={factor} lines={1}>
          {({ confirmed_at, recovery_codes_left: left }) => (
            <>
              <div className="row">
                <span className={confirmed_at === null ? 'badge' : 'badge good'}>
                  {confirmed_at === null ? 'off' : 'on'}
                </span>
                {confirmed_at !== null && (
                  <span>
                    since <Time at={confirmed_at} />
                  </span>
                )}
                {(confirmed_at !== null || left > 0) && (
                  <span className={`badge ${left <= FEW ? 'attention' : ''}`}>
                    {left} recovery codes left
                  </span>
                )}
              </div>
              <div className="row">
                {(confirmed_at !== null || left > 0) && (
                  <DialogButton
                    permission="second-factor:change"
                    dialog={(close) => <CodeDialog of="renew" onClose={close} />}
                    onClosed={reread}
                  >
                    New recovery codes
                  </DialogButton>
                )}
                {confirmed_at === null ? (
                  <DialogButton
                    look="primary"
                    permission="second-factor:change"
                    dialog={(close) => <EnrollDialog onClose={close} />}
                    onClosed={reread}
                  >
                    Set up an authenticator
                  </DialogButton>
                ) : (
                  <DialogButton
                    look="danger"
                    permission="second-factor:change"
                    dialog={(close) => <CodeDialog of="remove" onClose={close} />}
                    onClosed={reread}
                  >
                    Turn off
                  </DialogButton>
                )}
              </div>
            </>
          )}
        </Loaded>
      )}
    </Card>
  )
}
