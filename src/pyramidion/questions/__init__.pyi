"""The public names, and the modules they are loaded from."""

from pyramidion.questions._commands import CommandGroup as CommandGroup
from pyramidion.questions._commands import CommandSpec as CommandSpec
from pyramidion.questions._commands import load_object as load_object
from pyramidion.questions._plugins import fix_plugin as fix_plugin
from pyramidion.questions._plugins import load_plugins as load_plugins
from pyramidion.questions._plugins import plugin_entries as plugin_entries
from pyramidion.questions._question import Options as Options
from pyramidion.questions._question import Presets as Presets
from pyramidion.questions._question import Progress as Progress
from pyramidion.questions._question import Question as Question
from pyramidion.questions._question import Signature as Signature
from pyramidion.questions._question import create_groups as create_groups
from pyramidion.questions._question import library_versions as library_versions
from pyramidion.questions._question import question as question
from pyramidion.questions._question import report_findings as report_findings
from pyramidion.questions._question import report_library as report_library
from pyramidion.questions.options import OptionSpec as OptionSpec
from pyramidion.questions.options import Parsable as Parsable
from pyramidion.questions.options import Registry as Registry
from pyramidion.questions.options import argument as argument
from pyramidion.questions.options import option as option
