// Rules that find mistakes. How a line looks is nobody's business here.

import js from "@eslint/js";
import globals from "globals";

export default [
  { ignores: ["ui/plot/built/", "test-results/", "mutants/", ".venv*/"] },
  js.configs.recommended,
  {
    languageOptions: { globals: globals.browser },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "array-callback-return": "error",
      "eqeqeq": "error",
      "no-constructor-return": "error",
      "no-duplicate-imports": "error",
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-lonely-if": "error",
      "no-new-func": "error",
      "no-shadow": ["error", { allow: ["_"] }],
      "no-template-curly-in-string": "error",
      "no-unmodified-loop-condition": "error",
      "no-unreachable-loop": "error",
      "no-unused-vars": ["error", { argsIgnorePattern: "^_", ignoreRestSiblings: true }],
      "no-use-before-define": ["error", { functions: false, classes: false, variables: false }],
      "no-useless-return": "error",
      "no-var": "error",
      "prefer-const": "error",
    },
  },
  { files: ["tests/**", "tools/**", "eslint.config.js"], languageOptions: { globals: globals.node } },
];
