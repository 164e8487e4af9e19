#include <baltoro/builder.hpp>
#include <baltoro/error.hpp>
#include <baltoro/graph.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/printable.hpp"

namespace {

using namespace baltoro;
using testing::HasSubstr;
using testing::Not;
using testing::ThrowsMessage;

matrix single_cell(index_t row, index_t col) {
  const edge one{row, col};
  return build({&one, 1});
}

TEST(NameTable, IsEmptyWithoutNames) {
  const name_table none;
  EXPECT_TRUE(none.empty());
  EXPECT_EQ(none.size(), 0U);
  EXPECT_EQ(none.find(""), std::nullopt);
  EXPECT_TRUE(none.offsets().empty());
  EXPECT_TRUE(name_table(std::vector<std::string>{}).empty());
}

TEST(NameTable, KeepsNamesByteForByte) {
  const std::string with_zero("a\0b", 3);
  const name_table names({"libc6", "", "é\t", with_zero});
  ASSERT_EQ(names.size(), 4U);
  EXPECT_EQ(names[0], "libc6");
  EXPECT_EQ(names[1], "");
  EXPECT_EQ(names[2], "é\t");
  EXPECT_EQ(names[3], with_zero);
  EXPECT_EQ(names.find(with_zero), 3U);
  EXPECT_EQ(names.find(""), 1U);
  EXPECT_EQ(names.find("libc"), std::nullopt);
  EXPECT_EQ(names.offsets().size(), 5U);
  EXPECT_EQ(names.offsets().back(), names.text().size());
}

TEST(NameTable, FindsTheFirstOfEqualNames) { EXPECT_EQ(name_table({"b", "a", "a"}).find("a"), 1U); }

TEST(NameTable, OutlivesTheTableItWasCopiedFrom) {
  name_table copy;
  {
    const name_table original({"first", "second"});
    copy = original;
  }
  EXPECT_EQ(copy[1], "second");
}

TEST(NameTable, SharesTheBytesOfItsOwner) {
  struct storage {
    std::vector<std::uint64_t> offsets{0, 2, 5};
    std::string text = "abcde";
  };
  auto owner = std::make_shared<storage>();
  const name_table names(owner->offsets, owner->text, owner);
  EXPECT_EQ(names[0].data(), owner->text.data());
  EXPECT_EQ(names[1], "cde");
  const std::weak_ptr<storage> watched = owner;
  owner.reset();
  EXPECT_FALSE(watched.expired());
}

TEST(Graph, FindsRelationsByName) {
  graph g;
  g.relations.push_back({"*", single_cell(1, 1)});
  g.relations.push_back({"knows", single_cell(0, 1)});
  EXPECT_EQ(&g.at(), &g.relations[0].adjacency);
  EXPECT_EQ(&g.at(""), &g.relations[0].adjacency);
  EXPECT_EQ(&g.at("*"), &g.relations[0].adjacency);
  EXPECT_EQ(&g.at("knows"), &g.relations[1].adjacency);
}

TEST(Graph, SaysWhichRelationsThereAre) {
  graph g;
  g.relations.push_back({"*", single_cell(0, 0)});
  g.relations.push_back({"knows", single_cell(0, 0)});
  EXPECT_THAT([&] { g.at("Knows"); },
              ThrowsMessage<invalid_argument>("no relation 'Knows'; there is '*', 'knows'"));
}

TEST(Graph, ListsOnlySomeOfManyRelations) {
  graph g;
  for (int i = 0; i < 20; ++i)
    g.relations.push_back({std::string("P").append(std::to_string(i)), matrix()});
  EXPECT_THAT([&] { g.at("Q"); }, ThrowsMessage<invalid_argument>(testing::AllOf(
                                      HasSubstr("'P7' and 12 more"), Not(HasSubstr("'P8'")))));
}

TEST(Graph, DoesNotGuessARelation) {
  graph g;
  g.relations.push_back({"knows", single_cell(0, 0)});
  EXPECT_EQ(&g.at(), &g.relations[0].adjacency);
  g.relations.push_back({"likes", single_cell(0, 0)});
  EXPECT_THAT([&] { g.at(); }, ThrowsMessage<invalid_argument>(testing::AllOf(
                                   HasSubstr("2 relations and no union"),
                                   HasSubstr("(--relation): there is 'knows', 'likes'"))));
  EXPECT_EQ(&g.at("likes"), &g.relations[1].adjacency);
  for (relation& each : g.relations) each.name.clear();
  EXPECT_THAT([&] { g.at(); }, ThrowsMessage<invalid_argument>(HasSubstr("have no names")));
}

TEST(Graph, SaysThatAPlainGraphHasNoNames) {
  graph g;
  g.relations.push_back({"", single_cell(0, 0)});
  EXPECT_EQ(g.at().nnz(), 1U);
  EXPECT_THAT([&] { g.at("knows"); },
              ThrowsMessage<invalid_argument>(HasSubstr("relations of this graph have no names")));
}

TEST(Graph, RefusesToBeAskedWithoutRelations) {
  const graph g;
  EXPECT_THROW(g.at(), invalid_argument);
  EXPECT_THROW(g.at("x"), invalid_argument);
}

TEST(Printable, KeepsMessagesOnOneShortLine) {
  EXPECT_EQ(printable("plain é"), "'plain é'");
  EXPECT_EQ(printable("a\nb\x1b[0m"), "'a\\x0ab\\x1b[0m'");
  EXPECT_EQ(printable("abcdef", 3), "'abc…'");
  EXPECT_EQ(printable("abé", 3), "'ab…'");  // é has two bytes
}

}  // namespace
