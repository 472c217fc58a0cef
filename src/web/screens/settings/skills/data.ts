import { cache, useOperationMutation } from '../../../data/cache.ts'
import type { Input, Output } from '../../../data/client.ts'
import { sendWrite } from '../../../data/write-queue.ts'
import { deleteLater } from '../../../kit/delayed-delete.ts'
import { showError, showToast } from '../../../kit/toasts.tsx'
import { t } from '../../../messages/t.ts'

export type Skill = Output<'skills.list'>['items'][number]
export type ImportedSkill = Output<'skills.import'>['skills'][number]

/** The owner of skills: the user or a board. */
export type SkillOwner = { scope: 'user' } | { scope: 'project'; project_id: number }

export const PAGE_SIZE = 50

/** The query for a page of skills, sorted by slug. */
export const skillsQuery = (owner: SkillOwner, offset: number): Input<'skills.list'> => ({
  ...(owner.scope === 'project' && { project_id: owner.project_id }),
  ...{ sort: 'title', limit: PAGE_SIZE, offset },
})

export const reloadSkills = () =>
  void cache.invalidateQueries({ predicate: ({ queryKey }) => /^skills\./.test(`${queryKey[0]}`) })

export const pendingDeleteName = ({ skill_id }: Skill) => `skill ${skill_id}`

/** Deletes a skill after the undo time has passed. */
export const deleteSkill = (skill: Skill) =>
  deleteLater({
    what: pendingDeleteName(skill),
    message: t('settings.deleted_the_skill_slug', { slug: skill.slug }),
    run: () => sendWrite('skills.delete', { skill_id: skill.skill_id }).finally(reloadSkills),
  })

/** Turns a skill on or off. */
export function useToggleSkill() {
  const { mutateAsync } = useOperationMutation('skills.update', {
    line: 'skills',
    onLast: reloadSkills,
  })
  const toggle = async ({ skill_id, slug }: Skill, enabled: boolean, isUndo = false) => {
    try {
      await mutateAsync({ skill_id, enabled })
      if (isUndo) return
      const message = enabled
        ? t('settings.slug_is_on', { slug })
        : t('settings.slug_is_off', { slug })
      showToast(message, () => void toggle({ skill_id, slug } as Skill, !enabled, true), 'skill')
    } catch (error) {
      reloadSkills()
      showError(error)
    }
  }
  return toggle
}
