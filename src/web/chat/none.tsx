import type { Output } from '../data/client.ts'
import { Copied } from '../frame/copied.tsx'

/** For whoever runs the server; a model on their own machine is enough. */
const LINES = `CORK_AI_BASE_URL=http://127.0.0.1:11434/v1
CORK_AI_MODEL=qwen3:8b
CORK_AI_API_KEY=`

/** There is no model, and this is how there is one. */
export const None = ({ status }: { status: Output<'chat.status'> }) => (
  <section className="none" aria-label="How to set a model">
    <h3>No model answers here yet</h3>
    <p>{status.hint}</p>
    <pre>{LINES}</pre>
    <p className="deeds">
      <Copied text={LINES} name="Copy these lines" />
      <a className="button quiet" href="/docs/manual/models" target="_blank" rel="noopener">
        How to set it
      </a>
    </p>
  </section>
)
