import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { calling } from '../ground/calling.js'
import { queryClient } from '../ground/query-client.js'
import { useScope } from '../ground/scope.js'
import { PermittedButton } from '../parts/button.js'
import { Loaded } from '../parts/loaded.js'
import { Card } from '../parts/page.js'
import { Time } from '../parts/time.js'
import { CodeDialog } from './code-dialog.js'
import { EnrollDialog } from './enroll-dialog.js'

/** Recovery codes that are few enough to say so. */
const FEW = 3

export function SecondFactorCard() {
  const { refused } = useScope()
  const [open, setOpen] = useState<'enroll' | 'renew' | 'remove'>()
  const factor = useQuery({
    ...calling(['totp'], 'showTotp', {}),
    enabled: !refused('second-factor:read'),
  })
  const close = () => {
    setOpen(undefined)
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
          {({ confirmed_at, recovery_codes_left: left }) =>
            confirmed_at === null ? (
              <div className="row">
                <span className="badge">off</span>
                {left > 0 && (
                  <>
                    <span className={`badge ${left <= FEW ? 'attention' : ''}`}>
                      {left} recovery codes left
                    </span>
                    <PermittedButton
                      permission="second-factor:change"
                      aria-haspopup="dialog"
                      onPress={() => setOpen('renew')}
                    >
                      New recovery codes
                    </PermittedButton>
                  </>
                )}
                <PermittedButton
                  look="primary"
                  permission="second-factor:change"
                  aria-haspopup="dialog"
                  onPress={() => setOpen('enroll')}
                >
                  Set up an authenticator
                </PermittedButton>
              </div>
            ) : (
              <>
                <div className="row">
                  <span className="badge good">on</span>
                  <span>
                    since <Time at={confirmed_at} />
                  </span>
                  <span className={`badge ${left <= FEW ? 'attention' : ''}`}>
                    {left} recovery codes left
                  </span>
                </div>
                <div className="row">
                  <PermittedButton
                    permission="second-factor:change"
                    aria-haspopup="dialog"
                    onPress={() => setOpen('renew')}
                  >
                    New recovery codes
                  </PermittedButton>
                  <PermittedButton
                    look="danger"
                    permission="second-factor:change"
                    aria-haspopup="dialog"
                    onPress={() => setOpen('remove')}
                  >
                    Turn off
                  </PermittedButton>
                </div>
              </>
            )
          }
        </Loaded>
      )}
      {open === 'enroll' && <EnrollDialog onClose={close} />}
      {(open === 'renew' || open === 'remove') && <CodeDialog of={open} onClose={close} />}
    </Card>
  )
}
