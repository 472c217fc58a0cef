import type { Context } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { closestWord } from '../../../../kernel/validate.ts'
import { enabledSkills, markSkillsUsed, skillFor } from '../../../agents/skills/model/index.ts'
import { parseSkillCall, skillPrompt } from './rules.ts'
import type { StoredText } from './schema.ts'

/** A person's message. If it calls a skill, the model reads the skill instead. */
export async function userMessage(
  ctx: Context,
  project_id: number | undefined,
  text: string,
): Promise<StoredText> {
  const call = parseSkillCall(text)
  if (!call) return { type: 'text', text }
  const skill = await skillFor(ctx, project_id, call.slug)
  if (!skill) throw await unknownSkill(ctx, project_id, call.slug)
  await markSkillsUsed(ctx.tx, [skill], ctx.now)
  const read = `Follow the skill /${skill.slug} (${skill.name}):\n\n${skillPrompt(skill.body, call.rest)}`
  return { type: 'text', text, read }
}

async function unknownSkill(ctx: Context, project_id: number | undefined, slug: string) {
  const slugs = (await enabledSkills(ctx, project_id)).map((skill) => skill.slug)
  const near = closestWord(slug, slugs)
  const examples = slugs.slice(0, 10).map((slug_) => `/${slug_}`)
  const hint = near
    ? `Did you mean /${near}?`
    : examples.length
      ? `Available: ${examples.join(', ')}`
      : 'There are none yet: POST /api/v1/skills. To send a text that begins with a slash, put a word before it'
  return fault.invalid('message', 'not_found', `There is no skill /${slug} here`, slug, hint)
}
