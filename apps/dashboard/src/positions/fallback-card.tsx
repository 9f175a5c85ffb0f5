import type { CallOutput } from '@bearing/client/call-types'
import { useQuery } from '@tanstack/react-query'
import { count } from '../ground/amounts.js'
import { makeCall, calling } from '../ground/calling.js'
import { useScope } from '../ground/scope.js'
import { useInput } from '../ground/use-input.js'
import { AsCommand, quoted } from '../parts/command.js'
import { ConfirmButton } from '../parts/confirm.js'
import { DialogButton } from '../parts/dialog-button.js'
import { Facts } from '../parts/facts.js'
import { Field } from '../parts/field.js'
import { SaveDialog } from '../parts/form-dialog.js'
import { Loaded } from '../parts/loaded.js'
import { Card } from '../parts/page.js'
import { useSave } from '../parts/save-form.js'
import { Select } from '../parts/select.js'

type Fallback = CallOutput<'showLocationFallback'>

/** The external provider that is asked if Bearing knows no position. */
export function FallbackCard() {
  const { organizationSlug: organization } = useScope()
  const queryKey = ['location-fallback', organization]
  const fallback = useQuery(calling(queryKey, 'showLocationFallback', { organization }))
  return (
    <Card title="Fallback provider" about="Asked if no position is known here. None by default.">
      <Loaded query={fallback}>
        {(current) => (
          <>
            <Facts facts={factsOf(current)} />
            <div className="row">
              <DialogButton
                permission="location-settings:change"
                dialog={(close) => <SetDialog current={current} onClose={close} />}
              >
                {current.url === null ? 'Set a provider' : 'Change the provider'}
              </DialogButton>
              {current.url !== null && (
                <ConfirmButton
                  permission="location-settings:change"
                  text="Remove"
                  title="Remove the fallback provider?"
                  verb="Remove"
                  onConfirm={() => makeCall('turnOffLocationFallback', { organization }, queryKey)}
                >
                  <p>Its key is deleted. After at most five seconds nothing is sent to it.</p>
                </ConfirmButton>
              )}
            </div>
          </>
        )}
      </Loaded>
    </Card>
  )
}

function factsOf({ url, has_key, accuracy_confidence, requests_per_minute, timeout_ms }: Fallback) {
  if (url === null) return { Provider: 'none' }
  return {
    Provider: <code>{url}</code>,
    Key: has_key ? 'stored encrypted, never shown' : 'none',
    'Confidence of its circles': `${String(accuracy_confidence)} %`,
    Limits: `${count(requests_per_minute)} requests a minute, ${count(timeout_ms)} ms each`,
  }
}

const WHOLE = { type: 'text', inputMode: 'numeric', pattern: '[0-9]{1,6}', isRequired: true } as const

function SetDialog({ current, onClose }: { readonly current: Fallback; readonly onClose: () => void }) {
  const { organizationSlug: organization } = useScope()
  const [url, urlInput] = useInput(current.url ?? '')
  const [secret, secretInput] = useInput('')
  const [keyAs, keyAsInput] = useInput<Fallback['key_as']>(current.key_as)
  const [confidence, confidenceInput] = useInput(String(current.accuracy_confidence))
  const [rate, rateInput] = useInput(String(current.requests_per_minute))
  const [timeout, timeoutInput] = useInput(String(current.timeout_ms))
  const input = {
    ...{ organization, url: url.trim(), key_as: keyAs },
    accuracy_confidence: Number(confidence),
    requests_per_minute: Number(rate),
    timeout_ms: Number(timeout),
  }
  const whole = { ...input, ...(secret !== '' && { key: secret }) }
  const save = useSave('setLocationFallback', whole, ['location-fallback', organization])
  return (
    <SaveDialog title="Fallback provider" verb="Save" save={save} onClose={onClose}>
      <p className="quiet">
        Access points and radio cells that could not be located are sent to it; never who asks, or for which
        device.
      </p>
      <Field
        label="URL"
        name="url"
        type="url"
        hint="https, of the geolocation form; or ending with /location/ground-fix, of the form of nRF Cloud."
        isRequired
        autoFocus
        {...urlInput}
      />
      <Field
        label="Key"
        name="key"
        type="password"
        autoComplete="off"
        hint={current.has_key ? 'Left empty, the key of this URL stays.' : 'Left empty: none.'}
        {...secretInput}
      />
      <Select
        label="The key is sent"
        {...keyAsInput}
        options={[
          { id: 'query', text: 'In the query, as ?key=' },
          { id: 'bearer', text: 'In the header Authorization' },
        ]}
      />
      <div className="pair">
        <Field
          {...WHOLE}
          label="Confidence of its circles (%)"
          name="accuracy_confidence"
          {...confidenceInput}
        />
        <Field {...WHOLE} label="Requests per minute" name="requests_per_minute" {...rateInput} />
        <Field {...WHOLE} label="Timeout (ms)" name="timeout_ms" {...timeoutInput} />
      </div>
      <AsCommand
        bearing={[
          `bearing --org ${organization} location fallback set ${quoted(input.url || 'https://provider.example/v1/geolocate')}`,
          `  --key-as ${keyAs} --accuracy-confidence ${confidence} --requests-per-minute ${rate} --timeout-ms ${timeout}`,
        ].join(' \\\n')}
        call={['setLocationFallback', input]}
      />
    </SaveDialog>
  )
}
