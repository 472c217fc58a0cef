import type { Output } from '../../data/client.ts'
import { basePath } from '../../kit/base-path.ts'
import { CopyButton } from '../../kit/copy-button.tsx'
import { t } from '../../messages/t.ts'

/** An example configuration for the server's operator, with a local model. */
const LINES = `CORK_AI_BASE_URL=http://127.0.0.1:11434/v1
CORK_AI_MODEL=qwen3:8b
CORK_AI_API_KEY=`

/** Explains how to configure a model. */
export const NoModel = ({ status }: { status: Output<'chat.status'> }) => (
  <section className="none" aria-label={t('chat.set_up_a_model')}>
    <h3>{t('chat.no_model_is_set_up')}</h3>
    <p>{status.hint}</p>
    <pre>{LINES}</pre>
    <p className="actions flex-wrap">
      <CopyButton text={LINES} name={t('chat.copy_these_lines')} />
      <a
        className="button quiet"
        href={`${basePath}/docs/manual/models`}
        target="_blank"
        rel="noopener"
      >
        {t('chat.setup_guide')}
      </a>
    </p>
  </section>
)
