import type { Me } from '../../../entities/user/me.ts'
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
      title ? `Changed your default board to ${title}` : 'Removed your default board',
    )
  }
  return (
    <SettingsSection
      title="Your default board"
      about="Corkboard opens this board first and adds your tasks from My Tasks to it. Everybody selects their own."
    >
      <select
        className="field mine-first"
        aria-label="Your default board"
        value={me.profile.default_board ?? NONE}
        onChange={({ target }) => set(Number(target.value) || null)}
      >
        <option value={NONE}>None</option>
        {me.boards.map(({ project_id, title }) => (
          <option key={project_id} value={project_id}>
            {title}
          </option>
        ))}
      </select>
    </SettingsSection>
  )
}
