import { type FieldTable, lost, unneeded } from '../../fields.ts'

const address = unneeded('An address of the API')
const id = unneeded('An id of GitHub; the repository and number identify an issue')

/** The same fields at another path. */
const at = (path: string, table: FieldTable): FieldTable =>
  Object.fromEntries(Object.entries(table).map(([name, fate]) => [path + name, fate]))

/** The download does not ask for the names of people. */
const withoutNames = ({ '.author.name': _, ...table }: FieldTable): FieldTable => table

/** A person of the REST API. */
const user = (path: string, meaning: string): FieldTable => ({
  [path]: unneeded('Addresses and the kind of an account'),
  [`${path}.login`]: meaning,
})

const restMilestone: FieldTable = {
  'issues[].milestone': unneeded('Counts and addresses of a milestone'),
  'issues[].milestone.title': 'custom field Milestone',
  'issues[].milestone.due_on': 'board description, section Milestones',
  'issues[].milestone.description': 'board description, section Milestones',
}

const rest: FieldTable = {
  'issues[].number': 'task key',
  'issues[].title': 'task title',
  'issues[].body': 'task description',
  'issues[].state': 'column Open or Done',
  'issues[].state_reason': 'archived if not planned or a duplicate, custom field Closed as',
  'issues[].created_at': 'task created at',
  'issues[].updated_at': 'task updated at',
  'issues[].closed_at': 'task completed at',
  ...user('issues[].user', 'task created by'),
  ...user('issues[].assignee', 'task assignee'),
  ...user('issues[].assignees[]', 'task assignee'),
  'issues[].closed_by': unneeded('Addresses and the kind of an account'),
  'issues[].closed_by.login': lost('Who completed a task is not imported'),
  'issues[].labels[]': 'task label',
  'issues[].labels[].name': 'task label',
  'issues[].labels[].color': 'label color',
  'issues[].labels[].description': lost('Labels have no description'),
  'issues[].labels[].id': id,
  'issues[].labels[].node_id': id,
  'issues[].labels[].url': address,
  'issues[].labels[].default': unneeded('A mark of labels that every repository has'),
  ...restMilestone,
  'issues[].type': unneeded('Details of an issue type'),
  'issues[].type.name': 'custom field Type',
  'issues[].issue_field_values[]': unneeded('Ids of a field'),
  'issues[].issue_field_values[].value': 'priority, dates or a custom field',
  'issues[].issue_field_values[].single_select_option.name': 'priority or a custom field',
  'issues[].issue_field_values[].issue_field_name': 'name of a custom field',
  'issues[].parent_issue_url': 'task parent',
  'issues[].html_url': 'task id',
  'issues[].repository_url': 'board',
  'issues[].repository': unneeded('A copy of the repository'),
  'issues[].reactions': unneeded('The kinds of reactions, which are only counted'),
  'issues[].reactions.total_count': 'custom field Reactions',
  'issues[].locked': unneeded('Whether comments are locked'),
  'issues[].active_lock_reason': lost('Comments cannot be locked'),
  'issues[].comments': unneeded('The number of comments'),
  'issues[].author_association': unneeded('The role of the author in the repository'),
  'issues[].sub_issues_summary': unneeded('Counts of sub-issues'),
  'issues[].issue_dependencies_summary': unneeded('Counts of dependencies'),
  'issues[].pinned_comment': unneeded('A copy of a comment'),
  'issues[].performed_via_github_app': unneeded('The app that created the issue'),
  'issues[].draft': unneeded('Only of pull requests'),
  'issues[].body_html': unneeded('A copy of the body'),
  'issues[].body_text': unneeded('A copy of the body'),
  'issues[].score': unneeded('The rank in a search'),
  'issues[].text_matches': unneeded('Matches of a search'),
  'issues[].assignee_id': id,
  'issues[].id': id,
  'issues[].node_id': id,
  ...Object.fromEntries(
    ['url', 'labels_url', 'comments_url', 'events_url', 'timeline_url'].map((name) => [
      `issues[].${name}`,
      address,
    ]),
  ),
}

const comments: FieldTable = {
  'comments[].id': 'comment id',
  'comments[].body': 'comment text',
  'comments[].created_at': 'comment created at',
  'comments[].updated_at': 'comment edited at',
  ...user('comments[].user', 'comment author'),
  'comments[].issue_url': 'task of the comment',
  'comments[].html_url': address,
  'comments[].url': address,
  'comments[].node_id': id,
  'comments[].author_association': unneeded('The role of the author in the repository'),
  'comments[].performed_via_github_app': unneeded('The app that wrote the comment'),
  'comments[].reactions': unneeded('Reactions: there are none on comments'),
  'comments[].pin': unneeded('Whether the comment is pinned'),
  'comments[].minimized': unneeded('Whether the comment is minimized'),
}

/** An issue of `gh issue list --json` and of GraphQL. */
const issue: FieldTable = {
  '.number': 'task key',
  '.title': 'task title',
  '.body': 'task description',
  '.url': 'task id',
  '.state': 'column Open or Done',
  '.stateReason': 'archived if not planned or a duplicate, custom field Closed as',
  '.createdAt': 'task created at',
  '.updatedAt': 'task updated at',
  '.closedAt': 'task completed at',
  '.author': unneeded('The kind of an account'),
  '.author.name': 'name of the person',
  '.author.login': 'task created by',
  '.milestone': unneeded('Ids of a milestone'),
  '.milestone.title': 'custom field Milestone',
  '.milestone.description': 'board description, section Milestones',
  '.milestone.dueOn': 'board description, section Milestones',
  '.issueType': unneeded('Details of an issue type'),
  '.issueType.name': 'custom field Type',
  '.parent': unneeded('A copy of the parent'),
  '.parent.url': 'task parent',
}

const comment: FieldTable = {
  '': unneeded('Marks of a comment for the viewer'),
  '.id': 'comment id',
  '.url': 'comment id',
  '.body': 'comment text',
  '.createdAt': 'comment created at',
  '.updatedAt': 'comment edited at',
  '.author': unneeded('The kind of an account'),
  '.author.name': 'name of the person',
  '.author.login': 'comment author',
}

const list: FieldTable = {
  ...at('list[]', issue),
  ...at('list[].comments[]', comment),
  'list[].comments[].reactionGroups': lost('There are no reactions on comments'),
  'list[].id': id,
  'list[].closed': 'column Open or Done',
  'list[].isPinned': unneeded('Whether the issue is pinned'),
  'list[].assignees[]': unneeded('The id of an account'),
  'list[].assignees[].name': 'name of the person',
  'list[].assignees[].login': 'task assignee',
  'list[].labels[]': 'task label',
  'list[].labels[].name': 'task label',
  'list[].labels[].color': 'label color',
  'list[].labels[].description': lost('Labels have no description'),
  'list[].labels[].id': id,
  'list[].subIssues': unneeded('Copies of sub-issues'),
  'list[].subIssues.nodes[].url': 'task parent of that issue',
  'list[].subIssuesSummary': unneeded('Counts of sub-issues'),
  'list[].blockedBy': unneeded('Copies of other issues'),
  'list[].blockedBy.nodes[].url': 'relation blocks',
  'list[].blocking': unneeded('Copies of other issues'),
  'list[].blocking.nodes[].url': 'relation blocks',
  'list[].projectCards': lost('Import the project itself to get its fields'),
  'list[].projectItems': lost('Import the project itself to get its fields'),
  'list[].reactionGroups[].content': unneeded('The kinds of reactions, which are only counted'),
  'list[].reactionGroups[].users.totalCount': 'custom field Reactions',
  'list[].closedByPullRequestsReferences': lost('There are no pull requests'),
}

const items: FieldTable = {
  'items[].id': 'task id of a draft issue',
  'items[].title': unneeded('A copy of the title of the issue'),
  'items[].repository': unneeded('A copy of the repository of the issue'),
  'items[].status': 'column',
  'items[].labels': 'task labels',
  'items[].assignees': 'task assignees',
  'items[].milestone': unneeded('Ids of a milestone'),
  'items[].milestone.title': 'custom field Milestone',
  'items[].milestone.description': 'board description, section Milestones',
  'items[].milestone.dueOn': 'board description, section Milestones',
  'items[].parent issue': unneeded('A copy of the parent'),
  'items[].parent issue.url': 'task parent',
  'items[].sub-issues progress': unneeded('Counts of sub-issues'),
  'items[].linked pull requests': lost('There are no pull requests'),
  'items[].reviewers': lost('There are no pull requests'),
  'items[].isArchived': 'task archived',
  'items[].*': 'priority, size, dates or a custom field',
  'items[].content.id': 'task id of a draft issue',
  'items[].content.number': 'task key',
  'items[].content.title': 'task title',
  'items[].content.body': 'task description',
  'items[].content.url': 'task id',
  'items[].content.repository': 'task id',
  'items[].content.type': unneeded('Whether it is an issue, a draft or a pull request'),
}

const project: FieldTable = {
  'project.title': 'board title',
  'project.shortDescription': 'board description',
  'project.readme': 'board description',
  'project.url': 'origin',
  'project.number': unneeded('Part of the address'),
  'project.fields.nodes[].name': 'name of a custom field',
  'project.fields.nodes[].options[].name': 'column or option of a custom field',
  'projectItems.pageInfo': unneeded('The end of a page'),
  'projectItems.totalCount': unneeded('The number of items'),
  'projectItems.nodes[].id': 'task id of a draft issue',
  'projectItems.nodes[].isArchived': 'task archived',
  'projectItems.nodes[].fieldValues.nodes[]': 'column, priority, size, dates or a custom field',
  ...at('projectItems.nodes[].content', withoutNames(issue)),
  ...at('projectItems.nodes[].content.comments.nodes[]', withoutNames(comment)),
  'projectItems.nodes[].content.comments.totalCount': unneeded('The number of comments'),
  'projectItems.nodes[].content.__typename': unneeded('Pull requests are not imported'),
  'projectItems.nodes[].content.creator.login': 'task created by',
  'projectItems.nodes[].content.assignees.nodes[].login': 'task assignee',
  'projectItems.nodes[].content.labels.nodes[].name': 'task label',
  'projectItems.nodes[].content.labels.nodes[].color': 'label color',
  'projectItems.nodes[].content.blockedBy.nodes[].url': 'relation blocks',
}

const repository: FieldTable = {
  repository: unneeded('Settings and counts of the repository'),
  'repository.full_name': 'board title',
  'repository.description': 'board description',
}

const links: FieldTable = {
  'sub-issues': unneeded('Copies of sub-issues'),
  'sub-issues[].html_url': 'task parent of that issue',
  'blocked-by': unneeded('Copies of other issues'),
  'blocked-by[].html_url': 'relation blocks',
}

export const fields: FieldTable = {
  ...rest,
  ...comments,
  ...list,
  ...items,
  ...project,
  ...repository,
  ...links,
}
