import type { WebhookEvent } from '@bearing/contracts/management/webhook'
import { Check } from '../parts/choice.js'
import { EVENTS } from './webhook.js'

interface Props {
  readonly chosen: readonly string[]
  readonly onChange: (chosen: readonly WebhookEvent[]) => void
}

/** Chooses events. */
export function EventChecks({ chosen, onChange }: Props) {
  return (
    <fieldset className="field">
      <legend className="label">Events</legend>
      <div className="choices">
        {EVENTS.map(({ id, text, hint }) => (
          <Check
            key={id}
            text={text}
            hint={hint}
            isChecked={chosen.includes(id)}
            onChange={(isChecked) => {
              onChange(
                EVENTS.map((event) => event.id).filter((other) =>
                  other === id ? isChecked : chosen.includes(other),
                ),
              )
            }}
          />
        ))}
      </div>
    </fieldset>
  )
}
