import { t } from '../../../messages/t.ts'
import { Webhooks } from '../hooks/list.tsx'
import { SettingsSection } from '../parts.tsx'

/** Webhooks that receive the events of every board of the team. */
export const TeamWebhooks = ({ team_id }: { team_id: number }) => (
  <SettingsSection title={t('hooks.webhooks')} about={t('hooks.about_webhooks')}>
    <Webhooks place={{ team_id }} sections={[]} labels={[]} />
  </SettingsSection>
)
