import { useOperation } from '../../../data/cache.ts'
import { basePath } from '../../../kit/base-path.ts'
import { CopyButton } from '../../../kit/copy-button.tsx'
import { t } from '../../../messages/t.ts'
import { SettingsSection } from '../parts.tsx'

/** An example configuration for the server's operator, with a local model. */
const LINES = `CORK_AI_BASE_URL=http://127.0.0.1:11434/v1
CORK_AI_MODEL=qwen3:8b
CORK_AI_API_KEY=`

/** Explains how to configure a model; until then, the app shows nothing of the chat. */
export function NoModel() {
  const { data: status } = useOperation('chat.status', {})
  if (status?.configured !== false) return null
  return (
    <SettingsSection title={t('settings.no_model_is_set_up')} about={status.hint}>
      <pre className="no-model">{LINES}</pre>
      <p className="actions flex-wrap">
        <CopyButton text={LINES} name={t('settings.copy_these_lines')} />
        <a
          className="button quiet"
          href={`${basePath}/docs/manual/models`}
          target="_blank"
          rel="noopener"
        >
          {t('settings.setup_guide')}
        </a>
      </p>
    </SettingsSection>
  )
}
