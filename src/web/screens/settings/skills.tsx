import { basePath } from '../../kit/base-path.ts'
import { rich, t } from '../../messages/t.ts'
import { SettingsPage } from './parts.tsx'
import { Skills } from './skills/list.tsx'

const OWN = { scope: 'user' } as const

export default function OwnSkills() {
  return (
    <SettingsPage
      title={t('settings.skills')}
      about={rich('settings.instructions_that_you_call_by_name_such', {
        code: <code>{t('settings.release_notes')}</code>,
        a: <a href={`${basePath}/docs/manual/skills`}>{t('settings.how_skills_work')}</a>,
      })}
    >
      <Skills owner={OWN} may />
    </SettingsPage>
  )
}
