import type { Me } from '../../../entities/user/me.ts'
import { t } from '../../../messages/t.ts'
import { SettingsSection } from '../parts.tsx'
import { useProfile } from '../profile-update.ts'

const NONE = ''

/** Picks the user's default board, which opens first and gets new tasks without a board. */
export function DefaultBoard({ me }: { me: Me }) {
  const { choose } = useProfile(me)
  const set = (default_board: number | null) => {
    const title = me.boards.find(({ project_id }) => project_id === default_board)?.title
    choose(
      { default_board },
      title
        ? t('settings.changed_your_default_board_to_title', { title })
        : t('settings.removed_your_default_board'),
    )
  }
  return (
    <SettingsSection
      title={t('settings.your_default_board')}
      about={t('settings.corkboard_opens_this_board_first_and_adds')}
    >
      <select
        className="field mine-first"
        aria-label={t('settings.your_default_board')}
        value={me.profile.default_board ?? NONE}
        onChange={({ target }) => set(Number(target.value) || null)}
      >
        <option value={NONE}>{t('settings.no_default_board')}</option>
        {me.boards.map(({ project_id, title }) => (
          <option key={project_id} value={project_id}>
            {title}
          </option>
        ))}
      </select>
    </SettingsSection>
  )
}
