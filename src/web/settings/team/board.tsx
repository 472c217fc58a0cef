import { cache, keyOf, useAct } from '../../data/cache.ts'
import { wordsOf } from '../../data/client.ts'
import type { Me } from '../../frame/places.ts'
import { complain, say } from '../../frame/toasts.tsx'

const NONE = ''

/** The board that one begins at, and that tasks go to which name none. */
export function DefaultBoard({ me }: { me: Me }) {
  const { default_board: now = null } = me.profile
  const { act } = useAct('user_context.update_profile', {
    ahead({ default_board = null }) {
      const key = keyOf('user_context.get', {})
      cache.setQueryData<Me>(
        key,
        (one) => one && { ...one, profile: { ...one.profile, default_board } },
      )
      return () => void cache.invalidateQueries({ queryKey: key })
    },
    failed: (error) => complain(wordsOf(error)),
  })
  const titleOf = (id: number | null) =>
    me.boards.find(({ project_id }) => project_id === id)?.title
  const set = (default_board: number | null) =>
    act(
      { default_board },
      {
        onSuccess() {
          const title = titleOf(default_board)
          const words = title ? `Your default board: ${title}` : 'You have no default board now'
          say(words, () => act({ default_board: now }))
        },
      },
    )
  return (
    <section aria-labelledby="team-board">
      <h2 id="team-board">Your default board</h2>
      <p className="soft">
        Corkboard opens with it, and a task that you add to My Tasks goes there. It is yours alone:
        everybody chooses their own.
      </p>
      <select
        className="field mine-first"
        aria-labelledby="team-board"
        value={now ?? NONE}
        onChange={({ target }) => set(Number(target.value) || null)}
      >
        <option value={NONE}>None: ask me</option>
        {me.boards.map(({ project_id, title }) => (
          <option key={project_id} value={project_id}>
            {title}
          </option>
        ))}
      </select>
    </section>
  )
}
