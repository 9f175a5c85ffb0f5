import { useInput } from '../ground/use-input.js'
import { Command } from '../parts/command.js'
import { Card } from '../parts/page.js'
import { Select } from '../parts/select.js'

/** Code that verifies a delivery. Each is complete, and fails closed. The body is the text as it came. */
const RECIPES = [
  {
    id: 'node',
    text: 'Node.js',
    code: `import { createHmac, timingSafeEqual } from 'node:crypto'

export function verify(headers, body, secret) {
  const id = headers['webhook-id']
  const timestamp = headers['webhook-timestamp']
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) < 300)) throw new Error('too old, or too new')
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const expected = createHmac('sha256', key).update(\`\${id}.\${timestamp}.\${body}\`).digest()
  const isRight = (headers['webhook-signature'] ?? '').split(' ').some((signature) => {
    const given = Buffer.from(signature.replace(/^v1,/, ''), 'base64')
    return signature.startsWith('v1,') && given.length === expected.length && timingSafeEqual(given, expected)
  })
  if (!isRight) throw new Error('the signature is wrong')
}`,
  },
  {
    id: 'python',
    text: 'Python',
    code: `import base64, hashlib, hmac, time

def verify(headers, body, secret):
    message_id, timestamp = headers["webhook-id"], headers["webhook-timestamp"]
    if abs(time.time() - int(timestamp)) >= 300:
        raise ValueError("too old, or too new")
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{message_id}.{timestamp}.{body}".encode()
    expected = "v1," + base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()
    if not any(hmac.compare_digest(expected, given) for given in headers["webhook-signature"].split(" ")):
        raise ValueError("the signature is wrong")`,
  },
  {
    id: 'shell',
    text: 'Shell',
    code: `# To try it out: others on the machine can see the arguments of openssl.
key=$(printf %s "\${WEBHOOK_SECRET#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \\n')
right=v1,$({ printf '%s.%s.' "$WEBHOOK_ID" "$WEBHOOK_TIMESTAMP"; cat body.json; } |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | base64)
case " $WEBHOOK_SIGNATURE " in *" $right "*) echo right ;; *) echo wrong; exit 1 ;; esac`,
  },
] as const

/** Shows code that verifies deliveries in a receiver. */
export function SignatureCard() {
  const [id, idInput] = useInput<string>(RECIPES[0].id)
  const recipe = RECIPES.find((candidate) => candidate.id === id) ?? RECIPES[0]
  return (
    <Card
      title="Verify a delivery"
      about="Deliveries are signed as Standard Webhooks specifies. Verify the signature over the body as it came, before you parse it."
    >
      <div className="row filters">
        <Select label="Language" options={RECIPES} {...idInput} />
      </div>
      <Command text={recipe.code} />
      <p className="quiet">
        An event may come more than once: <code>webhook-id</code> is the same in every attempt.
      </p>
    </Card>
  )
}
