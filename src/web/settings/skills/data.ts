import { cache, useAct } from '../../data/cache.ts'
import { type Input, type Output, wordsOf } from '../../data/client.ts'
import { complain, say } from '../../frame/toasts.tsx'
import { later, notGone } from '../../task/later.ts'

export type Skill = Output<'skills.list'>['items'][number]
export type Brought = Output<'skills.import'>['skills'][number]

/** Whose skills are shown: one's own, or those of a board. */
export type Whose = { scope: 'user' } | { scope: 'project'; project_id: number }

export const AT_ONCE = 50

/** By slug, from one place on. */
export const listOf = (whose: Whose, offset: number): Input<'skills.list'> => ({
  ...(whose.scope === 'project' && { project_id: whose.project_id }),
  ...{ sort: 'title', limit: AT_ONCE, offset },
})

export const readAgain = () =>
  void cache.invalidateQueries({ predicate: ({ queryKey }) => /^skills\./.test(`${queryKey[0]}`) })

export const goneOf = ({ skill_id }: Skill) => `skill ${skill_id}`

/** Deletes one once nobody takes that back any more. */
export function useRemove() {
  const { act } = useAct('skills.delete', {
    done: readAgain,
    failed(error, { skill_id }) {
      notGone(`skill ${skill_id}`)
      readAgain()
      complain(wordsOf(error))
    },
  })
  return (skill: Skill) => {
    const { skill_id, slug } = skill
    later({
      ...{ what: goneOf(skill), words: `Deleted the skill /${slug}`, back: readAgain },
      run: () => act({ skill_id }),
    })
    readAgain()
  }
}

/** Switches one on or off. */
export function useSwitch() {
  const { finish } = useAct('skills.update', { done: readAgain, line: 'skills' })
  const turn = async ({ skill_id, slug }: Skill, enabled: boolean, isUndo = false) => {
    try {
      await finish({ skill_id, enabled })
      if (isUndo) return
      const words = `/${slug} is ${enabled ? 'on' : 'off'}`
      say(words, () => void turn({ skill_id, slug } as Skill, !enabled, true), 'skill')
    } catch (error) {
      complain(wordsOf(error))
    }
  }
  return turn
}
