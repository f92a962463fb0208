/**
 * The stages of a Dockerfile: `{ base, name, steps: [{ instruction, argument }] }`, with continued lines joined and comments
 * left out. Reads what ours uses; no heredocs, no escape directive.
 */
export function parseDockerfile(text) {
  const lines = text
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('#'))
    .join('\n')
    .replaceAll(/\\\n\s*/gu, '')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  const stages = []
  for (const line of lines) {
    const [, instruction = '', argument = ''] = /^([A-Z]+)\s+(.*)$/u.exec(line) ?? []
    if (instruction === 'FROM') {
      const [, base, name = ''] = /^(\S+)(?:\s+AS\s+(\S+))?$/u.exec(argument) ?? []
      stages.push({ base, name, steps: [] })
    } else stages.at(-1)?.steps.push({ instruction, argument })
  }
  return stages
}

/** The arguments of a stage's steps with this instruction. */
export function listSteps({ steps }, name) {
  return steps.filter(({ instruction }) => instruction === name).map(({ argument }) => argument)
}

/** The variables of a stage's ENV steps. */
export function readEnvironment(stage) {
  const pairs = listSteps(stage, 'ENV').flatMap((argument) => argument.split(/\s+/u))
  return Object.fromEntries(pairs.map((pair) => pair.split('=')))
}

/** The argument of a step in its JSON form. */
export function readCommand(argument) {
  return JSON.parse(argument.slice(argument.indexOf('[')))
}
