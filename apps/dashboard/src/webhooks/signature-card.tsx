import { useState } from 'react'
import { Command } from '../parts/command.js'
import { Card } from '../parts/page.js'
import { Select } from '../parts/select.js'
import { RECIPES } from './recipes.js'

/** How a receiver knows that a delivery is from Bearing. */
export function SignatureCard() {
  const [id, setId] = useState<string>(RECIPES[0].id)
  const recipe = RECIPES.find((candidate) => candidate.id === id) ?? RECIPES[0]
  return (
    <Card
      title="Verify a delivery"
      about="Deliveries are signed as Standard Webhooks specifies. Verify the signature over the body as it came, before you parse it."
    >
      <div className="row filters">
        <Select label="Language" value={id} options={RECIPES} onChange={setId} />
      </div>
      <Command text={recipe.code} />
      <p className="quiet">
        An event may come more than once: <code>webhook-id</code> is the same in every attempt.
      </p>
    </Card>
  )
}
