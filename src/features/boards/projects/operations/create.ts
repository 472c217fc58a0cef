import { Type as t } from '@sinclair/typebox'
import { storableHtml } from '../../../../content/storable.ts'
import type { Context } from '../../../../kernel/caller.ts'
import { operation } from '../../../../kernel/operation.ts'
import { boardActors } from '../../../identity/members/model/index.ts'
import { prepareDescription } from '../../../tasks/descriptions/model/index.ts'
import { countsOf } from '../../../tasks/tasks/model/index.ts'
import { labelsOf } from '../../labels/model/index.ts'
import { sectionsOf, toSectionRows } from '../../sections/model/index.ts'
import { findProject, guidanceOf, type Project, ProjectId, urlOf } from '../model/index.ts'
import { BoardDraft, BoardReceipt, Manifest, type StarterTask } from './board-schema.ts'
import { toProjectRow } from './list.ts'
import { createBoard } from './new-board.ts'

export const create = operation({
  name: 'projects.create',
  summary: 'Create a board with its columns, labels and starter tasks, all or nothing',
  needs: 'projects:write',
  creates: true,
  on: {
    rest: 'POST /api/v1/projects',
    mcp: 'svc_projects.create',
    cli: {
      usage: 'projects create <title>',
      example: "Garden --sections 'To do,Doing,Done' --labels plants",
    },
    chat: true,
  },
  input: BoardDraft,
  output: BoardReceipt,
  async prepare({ description, tasks = [] }, ask) {
    const text = description?.trim()
      ? await storableHtml(ask, description, undefined, 'description')
      : description
    const prepareText = (task: StarterTask, index: number) =>
      prepareDescription(ask, task, `tasks.${index}.description`)
    return { description: text, texts: await Promise.all(tasks.map(prepareText)) }
  },
  async run(input, ctx, { description, texts }) {
    const draft = { ...input, description }
    const { project, sections, labels, tickets } = await createBoard(ctx, draft, texts)
    return {
      project_id: project.project_id,
      key: project.key,
      title: project.title,
      team_id: project.team_id,
      sections: sections.map(({ section_id, title, role, done }) => ({
        section_id,
        title,
        role,
        done,
      })),
      labels: labels.map(({ label_id, name }) => ({ label_id, name })),
      tasks: tickets,
      url: urlOf(ctx, project),
    }
  },
})

export const manifest = operation({
  name: 'projects.manifest',
  summary: 'A board at a glance: columns with roles and counts, labels, playbook',
  needs: 'projects:read',
  dependsOn: [
    'project',
    'member',
    'profile',
    'agent',
    'section',
    'label',
    'playbook',
    'instructions',
  ],
  on: {
    rest: ['GET /api/v1/projects/:project_id/manifest', 'GET /api/v1/projects/:project_id'],
    mcp: 'svc_projects.manifest',
    cli: { usage: 'projects get <project_id>', example: 'HOM' },
    chat: true,
  },
  input: t.Object({ project_id: ProjectId }),
  output: Manifest,
  async run({ project_id }, ctx) {
    const project = await findProject(ctx, project_id)
    const actors = await boardActors(ctx, project)
    const people = actors.filter(({ kind }) => kind === 'person').length
    return {
      ...(await toProjectRow(ctx, project)),
      sections: await manifestSections(ctx, project),
      labels: (await labelsOf(ctx.tx, project)).map(({ label_id, name, color }) => ({
        label_id,
        name,
        color,
      })),
      ...guidanceOf(ctx, project),
      member_count: people,
      agent_count: actors.length - people,
    }
  },
})

async function manifestSections({ tx }: Context, project: Project) {
  const rows = await sectionsOf(tx, project)
  const counts = await countsOf(tx, project)
  return (await toSectionRows(tx, project, rows)).map((row) => ({
    section_id: row.section_id,
    title: row.title,
    role: row.role,
    done: row.done,
    hidden: row.hidden,
    auto_assign: row.auto_assign,
    wip_limit: row.wip_limit,
    task_count: counts.get(row.section_id) ?? 0,
  }))
}
