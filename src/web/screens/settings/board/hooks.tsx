import { t } from '../../../messages/t.ts'
import { Webhooks } from '../hooks/list.tsx'
import { SettingsSection } from '../parts.tsx'
import type { PartProps } from './data.ts'
import { MANAGERS_ONLY } from './parts.tsx'

export default function BoardWebhooks({ board, may }: PartProps) {
  return (
    <SettingsSection
      title={t('hooks.webhooks')}
      about={t('hooks.about_webhooks')}
      readOnly={!may.manage && MANAGERS_ONLY}
    >
      {may.manage && (
        <Webhooks
          place={{ project_id: board.project_id }}
          sections={board.sections.map((one) => ({ value: one.section_id, name: one.title }))}
          labels={board.labels.map((one) => ({ value: one.label_id, name: one.name }))}
        />
      )}
    </SettingsSection>
  )
}
